"""Playing hands: matches, tournaments, local best response, the ACPC dealer and client."""

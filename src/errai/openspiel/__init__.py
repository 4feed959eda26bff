"""Games, states and strategies in OpenSpiel's terms, and back; the only package that imports OpenSpiel."""

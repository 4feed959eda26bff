"""Results as plain typed data, with their JSON; nothing here prints."""

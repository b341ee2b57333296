"""The store of generated texts."""

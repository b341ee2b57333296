"""The fewest datasets that keep a ranking."""

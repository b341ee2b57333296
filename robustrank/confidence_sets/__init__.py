"""Ranks and best models with family-wise confidence."""

"""Embedding models, and the vectors that they made."""

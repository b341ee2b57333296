"""Generators: language models, or what stands in for them, that rewrite texts."""

"""What is asked of a language model, and what its answers are worth."""

"""What would change the answer: all of it for one matrix."""

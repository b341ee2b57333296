"""The smallest change that puts one model above another."""

"""The winner's curse, and comparisons that were planned."""

"""The released tool's files: transformed datasets and scores."""

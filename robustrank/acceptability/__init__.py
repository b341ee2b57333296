"""Which models can be first, and how often, over all weights of the datasets."""

"""A study: its configuration, its jobs, and what runs them."""

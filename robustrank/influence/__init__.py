"""Which datasets decide a ranking: leave one out."""

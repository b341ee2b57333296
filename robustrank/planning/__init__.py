"""How many datasets it would take, of which kind, and which to run next."""

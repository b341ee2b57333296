"""The bundled example: a real leaderboard, small enough for the wheel."""

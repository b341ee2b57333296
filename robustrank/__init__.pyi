from .errors import InputError
from .matrix import ScoreMatrix
from .notes import Note

__all__ = ["InputError", "Note", "ScoreMatrix"]

from .analysis import analysis_page
from .downloads import embed_tables
from .page import Key, render
from .sections import settings_rows

__all__ = ["Key", "analysis_page", "embed_tables", "render", "settings_rows"]

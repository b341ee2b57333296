"""Figures of plain tables; results draw theirs with ``plot``.

Each function takes pandas tables and returns Axes, and imports matplotlib when it is first used.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)

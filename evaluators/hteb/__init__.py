"""HTEB: benchmark texts rewritten by a language model, and embedding models scored on both."""

import lazy_loader as _lazy

# `__init__.pyi` lists the public names; a name's module is imported when it is first used.
__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)

"""Reports as one self-contained HTML file each, for analyses and for studies.

Import the package and call its functions, as ``html.analysis_page(analysis)``: templates and
figures are loaded when a page is first made.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)

"""Embedded private search over one's own pages, as a provider of websdk named ``index``.

Files and pages come in through :func:`add_path` and :func:`add_urls`; results go out of :class:`IndexProvider`.
"""

from websdk_index.add import AddOptions, add_path, add_urls
from websdk_index.location import default_file
from websdk_index.provider import IndexProvider
from websdk_index.report import Refusal, Report

__all__ = ["AddOptions", "IndexProvider", "Refusal", "Report", "add_path", "add_urls", "default_file"]

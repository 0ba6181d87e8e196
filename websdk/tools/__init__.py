"""The tools as a model sees them: what is declared, what may be asked, and how a failure reads.

What exists in a session comes in; declarations, checked calls and texts go out. No provider is named anywhere, so that
changing providers changes no byte of what a model is told.
"""

from websdk.tools.arguments import Arguments, PagesCall, RefCall, SearchCall, next_call, read_arguments
from websdk.tools.declare import ToolFormat, declarations
from websdk.tools.prompt import prompt_section
from websdk.tools.result import ToolResult, failed_call
from websdk.tools.surface import Style, Surface

__all__ = [
    "Arguments",
    "PagesCall",
    "RefCall",
    "SearchCall",
    "Style",
    "Surface",
    "ToolFormat",
    "ToolResult",
    "declarations",
    "failed_call",
    "next_call",
    "prompt_section",
    "read_arguments",
]

"""Bytes to Markdown. A page's bytes come in; a Document or an honest Unreadable goes out. Pure."""

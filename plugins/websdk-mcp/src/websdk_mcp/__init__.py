"""MCP search servers as providers.

A request comes in; the arguments of one tool go out, and what the tool answers is read like any vendor's answer. What a
tool can express is a preset, as for vendors: its request body is the arguments, its answer the tool's result.
"""

from websdk_mcp.plugin import McpServers
from websdk_mcp.server import Grammar, Server

__all__ = ["Grammar", "McpServers", "Server"]

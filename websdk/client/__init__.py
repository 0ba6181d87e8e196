"""The client: where the parts are put together and a call runs from start to end."""

from websdk.client.asynchronous import AsyncClient

__all__ = ["AsyncClient"]

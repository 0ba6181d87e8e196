"""HTTP as values: requests and replies as data, what a status means, how long to wait. No sockets."""

from websdk.wire.message import Headers, HttpRequest, HttpResponse, Pause, json_request

__all__ = ["Headers", "HttpRequest", "HttpResponse", "Pause", "json_request"]

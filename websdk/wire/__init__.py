"""HTTP as values: requests and replies as data, what a status means, how long to wait. No sockets."""

from websdk.wire.message import Headers, HttpRequest, HttpResponse, Pause, json_request
from websdk.wire.retry_after import ENDPOINT_WAIT_CEILING_S, ORIGIN_WAIT_CEILING_S, retry_after
from websdk.wire.status import Meaning, classify, meaning

__all__ = [
    "ENDPOINT_WAIT_CEILING_S",
    "ORIGIN_WAIT_CEILING_S",
    "Headers",
    "HttpRequest",
    "HttpResponse",
    "Meaning",
    "Pause",
    "classify",
    "json_request",
    "meaning",
    "retry_after",
]

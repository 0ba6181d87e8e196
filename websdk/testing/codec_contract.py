"""The contract of search codecs."""

from __future__ import annotations

from websdk.protocols import SearchCodec
from websdk.testing.answers_contract import AnswersContract
from websdk.testing.desk import CodecDesk
from websdk.testing.samples import ORDINARY, Samples
from websdk.wire import HttpRequest


class SearchCodecContract(AnswersContract):
    """What every :class:`~websdk.protocols.SearchCodec` promises.

    Name a subclass ``Test...`` and give it :meth:`make_codec` and :meth:`reply`::

        class TestTickets(SearchCodecContract):
            second_page = {"offset": "20"}

            def make_codec(self):
                return TicketsCodec()

            def reply(self, rows):
                return HttpResponse(status=200, body=json.dumps({"hits": list(rows)}).encode())
    """

    def make_codec(self) -> SearchCodec:
        """Return the codec under test."""
        raise NotImplementedError

    def samples(self) -> Samples:
        """Return values by which each filter is varied; two or more that the vendor takes, of each that it has."""
        return ORDINARY

    def unwrap(self, request: HttpRequest) -> HttpRequest:
        """Return the request that the vendor acts on: *request*, or the one that it carries."""
        return request

    def desk(self) -> CodecDesk:
        """Return a desk at which the codec is asked."""
        return CodecDesk(codec=self.make_codec(), samples=self.samples(), unwrap=self.unwrap)

"""How much a call over the package's transport costs, against a bare httpx call.

Run: python tests/benchmarks/transport.py

One JSON object is printed: the median of the ratios of pairs of blocks that run one right after the other, so that a
busy machine slows both halves of a pair.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import time

import httpx

from websdk.egress import DirectBackend, SystemConnector, SystemResolver
from websdk.model.connection import Connection
from websdk.protocols.transport import Limits
from websdk.transport import HttpTransport
from websdk.wire import HttpRequest

# A server of its own process answers every request with the same 4 KB of JSON, so that it costs the client nothing.
SERVER = """
import asyncio
BODY = b'{"results": [' + b'{"url": "https://a.example/1", "title": "One", "snippet": "s"},' * 64 + b'{}]}'
REPLY = b"HTTP/1.1 200 OK\\r\\nContent-Type: application/json\\r\\nContent-Length: %d\\r\\n\\r\\n" % len(BODY) + BODY
class Answer(asyncio.Protocol):
    def connection_made(self, transport): self.transport = transport
    def data_received(self, data): self.transport.write(REPLY * data.count(b"\\r\\n\\r\\n"))
async def main():
    server = await asyncio.get_running_loop().create_server(Answer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.Event().wait()
asyncio.run(main())
"""


async def timed(call, calls: int) -> float:
    """Return microseconds of processor time of this process a call."""
    started = time.process_time()
    for _ in range(calls):
        await call()
    return (time.process_time() - started) / calls * 1e6


async def measure(base: str, pairs: int, calls: int) -> dict[str, float]:
    backend = DirectBackend(resolver=SystemResolver(), connector=SystemConnector())
    transport = HttpTransport(Connection(name="bench"), backend=backend)
    request = HttpRequest(method="GET", url=f"{base}/search?q=x", headers=(("X-Api-Key", "k"),))
    limits = Limits(max_bytes=2 << 20, timeout_s=30.0)
    async with httpx.AsyncClient(trust_env=False) as client:

        async def own():
            await transport.send(request, limits=limits)

        async def bare():
            (await client.get(f"{base}/search?q=x", headers={"X-Api-Key": "k"})).read()

        await timed(own, 20)
        await timed(bare, 20)
        found = [(await timed(own, calls), await timed(bare, calls)) for _ in range(pairs)]
    await transport.aclose()
    return {
        "own_us": round(statistics.median(mine for mine, _ in found), 1),
        "httpx_us": round(statistics.median(theirs for _, theirs in found), 1),
        "ratio": round(statistics.median(mine / theirs for mine, theirs in found), 3),
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--pairs", type=int, default=15)
    options.add_argument("--calls", type=int, default=100)
    chosen = options.parse_args()
    with subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True) as server:
        try:
            port = int(server.stdout.readline())
            print(json.dumps(asyncio.run(measure(f"http://127.0.0.1:{port}", chosen.pairs, chosen.calls))))
        finally:
            server.terminate()


if __name__ == "__main__":
    main()

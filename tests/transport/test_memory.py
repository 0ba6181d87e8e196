"""Peak memory of a whole process that is sent a bomb, and its time under a drip."""

from __future__ import annotations

import asyncio
import sys

import pytest

CHILD = """
import asyncio, os, resource, sys
from websdk.egress import DirectBackend, SystemConnector, SystemResolver
from websdk.model.connection import Connection
from websdk.protocols.transport import Limits, TransportFailure
from websdk.transport import HttpTransport, HttpxTransport
from websdk.wire import HttpRequest

async def main(kind, url):
    if kind == "httpx":
        import httpx
        transport = HttpxTransport(httpx.AsyncClient(trust_env=False))
    else:
        transport = HttpTransport(
            Connection(name="v"), backend=DirectBackend(resolver=SystemResolver(), connector=SystemConnector())
        )
    limits = Limits(max_bytes=2 << 20, timeout_s=20.0)
    try:
        reply = await transport.send(HttpRequest(method="GET", url=url), limits=limits)
        print("body", len(reply.body))
    except TransportFailure as failure:
        print(failure.kind)
    await transport.aclose()

asyncio.run(main(*sys.argv[1:]))
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 if sys.platform == "darwin" else 1)
if os.path.exists("/proc/self/status"):  # there the figure above is that of the parent, where the parent was larger
    peak = int(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1])
print(peak // 1024)
"""


async def run_child(net, kind, body, coding):
    async with net.Peer(net.answer(body, headers=[("Content-Encoding", coding)])) as peer:
        child = await asyncio.create_subprocess_exec(
            sys.executable, "-c", CHILD, kind, peer.base, stdout=asyncio.subprocess.PIPE
        )
        out, _ = await child.communicate()
    return out.decode().split()


@pytest.mark.skipif(sys.platform == "win32", reason="peak memory is told by resource, which this system lacks")
@pytest.mark.parametrize("kind", ["own", "httpx"])
@pytest.mark.parametrize("bomb", ["double gzip", "deep gzip"])
def test_a_bomb_of_a_few_hundred_bytes_stays_under_80_megabytes(net, kind, bomb):
    body = net.double_gzip_bomb() if bomb == "double gzip" else net.bomb(50)
    coding = "gzip, gzip" if bomb == "double gzip" else "gzip"
    outcome, peak_mib = asyncio.run(run_child(net, kind, body, coding))

    assert bomb != "double gzip" or len(body) < 600
    assert "too_large" == outcome
    assert int(peak_mib) < 80

"""Whatever a page's scripts try, every connection goes through the guard and none reaches a private address."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.xdist_group("chromium")]
PAGE = "http://site.example/"
PUBLIC = "93.184.215.14"
PROSE = "The lighthouse stands at the end of the long pier and is lit at dusk."


class Canary:
    """Listens on loopback, over TCP and UDP, for what must never come."""

    def __init__(self) -> None:
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.port = self.tcp.getsockname()[1]
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", self.port))
        for listener in (self.tcp, self.udp):
            listener.setblocking(False)

    def heard(self) -> list[str]:
        heard = []
        for name, take in (("tcp", self.tcp.accept), ("udp", lambda: self.udp.recv(64))):
            try:
                take()
            except BlockingIOError:
                continue
            heard.append(name)
        return heard


@contextmanager
def listening() -> Iterator[Canary]:
    canary = Canary()
    try:
        yield canary
    finally:
        canary.tcp.close()
        canary.udp.close()


def page(*scripts: str, head: str = "") -> str:
    """A page that tries each script, then says so."""
    tries = "".join(f"try {{ {script} }} catch (e) {{}}\n" for script in scripts)
    return (
        f"<!doctype html><title>Site</title>{head}<body><main id=root><p>{PROSE}</p></main>"
        f"<script>{tries} setTimeout(() => root.append(' All was tried.'), 800)</script>"
    )


def test_scripts_reach_no_private_address(web: Any) -> None:
    with listening() as canary:
        inward = f"127.0.0.1:{canary.port}"
        web.names["inner.example"] = [["10.0.0.5"]]
        web.names["mixed.example"] = [[PUBLIC, "127.0.0.1"]]
        web.pages["site.example/hop"] = (302, {"Location": f"http://{inward}/hop"}, b"")
        web.pages["site.example/"] = page(
            f"fetch('http://{inward}/a', {{mode: 'no-cors'}})",
            f"fetch('http://localhost:{canary.port}/a', {{mode: 'no-cors'}})",
            f"fetch('http://[::ffff:127.0.0.1]:{canary.port}/a', {{mode: 'no-cors'}})",
            f"fetch('http://2130706433:{canary.port}/a', {{mode: 'no-cors'}})",
            "fetch('http://169.254.169.254/latest/', {mode: 'no-cors'})",
            "fetch('http://inner.example/', {mode: 'no-cors'})",
            "fetch('http://mixed.example/', {mode: 'no-cors'})",
            "fetch('/hop', {mode: 'no-cors'})",
            f"new WebSocket('ws://{inward}/socket')",
            f"new WebSocket('wss://{inward}/socket')",
            f"navigator.sendBeacon('http://{inward}/beacon', 'x')",
            f"new EventSource('http://{inward}/events')",
            f"new Image().src = 'http://{inward}/picture'",
            f"document.write('<iframe src=http://{inward}/frame></iframe>')",
            f"new Worker(URL.createObjectURL(new Blob([`fetch('http://{inward}/w', {{mode: 'no-cors'}})`])))",
            head=f"<link rel=preconnect href=http://{inward}><link rel=stylesheet href=http://{inward}/s.css>",
        )
        document = web.read(PAGE)

        assert [] == canary.heard()

    assert "All was tried." in document.markdown
    assert {(PUBLIC, 80)} == set(web.dialled)
    outcomes = {attempt.host: attempt.outcome for attempt in document.receipt.attempts}

    assert "ok" == outcomes["site.example:80"]
    assert {"refused"} == {outcome for host, outcome in outcomes.items() if host != "site.example:80"}
    assert {"169.254.169.254:80", "inner.example:80", "mixed.example:80", inward} <= set(outcomes)


def test_a_name_that_changes_its_address_is_judged_each_time(web: Any) -> None:
    with listening() as canary:
        web.names["rebind.example"] = [[PUBLIC], ["127.0.0.1"]]
        web.pages["rebind.example/"] = (
            200,
            {"Access-Control-Allow-Origin": "*"},
            page(
                f"fetch('http://rebind.example:{canary.port}/again', {{mode: 'no-cors'}})",
                "fetch('/again', {cache: 'no-store'})",
            ).encode(),
        )
        document = web.read("http://rebind.example/")

        assert [] == canary.heard()

    assert PROSE in document.markdown
    assert {(PUBLIC, 80)} == set(web.dialled)
    assert ["rebind.example/"] == [target for target in web.asked if "again" not in target and "favicon" not in target]


def test_media_over_udp_reaches_nothing(web: Any) -> None:
    with listening() as canary:
        script = (
            f"const peer = new RTCPeerConnection({{iceServers: [{{urls: 'stun:127.0.0.1:{canary.port}'}},"
            f"{{urls: 'stun:stun.example:3478'}},"
            f"{{urls: 'turn:127.0.0.1:{canary.port}?transport=tcp', username: 'u', credential: 'c'}}]}});"
            "peer.onicecandidate = (e) => e.candidate && root.append(' candidate:' + e.candidate.candidate);"
            "peer.createDataChannel('x'); peer.createOffer().then((o) => peer.setLocalDescription(o));"
        )
        web.pages["site.example/"] = page(script)
        document = web.read(PAGE)

        assert [] == canary.heard()

    assert "All was tried." in document.markdown
    assert "srflx" not in document.markdown
    assert "stun.example" not in web.resolved


def test_names_are_looked_up_by_the_guard_alone(web: Any) -> None:
    web.pages["site.example/"] = page(
        "document.head.insertAdjacentHTML('beforeend', '<link rel=dns-prefetch href=//late-prefetch.example>')",
        head=(
            "<meta http-equiv=x-dns-prefetch-control content=on><link rel=dns-prefetch href=//prefetch.example>"
            "<link rel=prefetch href=http://ahead.example/a><link rel=prerender href=http://ahead.example/b>"
        ),
    )
    document = web.read(PAGE)
    looked_up = {name for name in web.resolved if "prefetch" in name}

    assert PROSE in document.markdown
    assert set() == looked_up


def test_a_beacon_goes_through_the_guard_like_anything_else(web: Any) -> None:
    web.pages["count.example/beacon"] = "thanks"
    web.pages["site.example/"] = page("navigator.sendBeacon('http://count.example/beacon', 'x')")
    document = web.read(PAGE)

    assert "count.example/beacon" in web.asked
    assert "count.example:80" in {attempt.host for attempt in document.receipt.attempts}


def descendants(pid: int) -> set[int]:
    """Every process below *pid*, as the kernel lists them."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(") ")[2].split()[1])
            except (OSError, IndexError):
                continue
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {pid}


def browser_processes() -> set[int]:
    found = set()
    for pid in descendants(os.getpid()):
        try:
            command = Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            continue
        if b"--proxy-bypass-list" in command or b"--type=" in command:
            found.add(pid)
    return found


def remote_ends(pids: set[int]) -> set[tuple[str, str]]:
    """``(protocol, address:port)`` of every connected socket of *pids*, sockets of this machine's name space."""
    inodes = set()
    for pid in pids:
        try:
            links = [os.readlink(link) for link in Path(f"/proc/{pid}/fd").iterdir()]
        except OSError:
            continue
        inodes |= {link[8:-1] for link in links if link.startswith("socket:[")}
    ends = set()
    for protocol in ("tcp", "tcp6", "udp", "udp6"):
        try:
            lines = Path(f"/proc/self/net/{protocol}").read_text().splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            fields = line.split()
            address, _, port = fields[2].partition(":")
            if fields[9] in inodes and set(address) != {"0"}:
                ends.add((protocol, f"{socket.inet_ntoa(bytes.fromhex(address)[::-1])}:{int(port, 16)}"))
    return ends


@pytest.mark.skipif(sys.platform != "linux", reason="sockets of other processes are listed by Linux only")
def test_every_socket_of_the_browser_leads_to_the_guard(web: Any) -> None:
    ends: set[tuple[str, str]] = set()
    counted: list[int] = []

    async def look(target: str, body: str) -> str:
        pids = browser_processes()
        counted.append(len(pids))
        ends.update(await asyncio.to_thread(remote_ends, pids))
        return "looked"

    web.pages["site.example/look"] = look
    web.pages["site.example/"] = page(
        "new WebSocket('ws://site.example/socket')",
        "fetch('https://other.example/')",
        "navigator.sendBeacon('http://count.example/beacon', 'x')",
        "new RTCPeerConnection({iceServers: [{urls: 'stun:stun.example:3478'}]}).createDataChannel('x')",
        "setTimeout(() => fetch('/look'), 300)",
    )
    web.read(PAGE)

    assert counted
    assert 2 < counted[0]
    assert {"tcp"} == {protocol for protocol, _ in ends}
    assert {"127.0.0.1"} == {end.split(":")[0] for _, end in ends}
    assert 1 == len({end.split(":")[1] for _, end in ends})

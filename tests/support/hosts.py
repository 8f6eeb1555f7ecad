"""Hosts of a cluster on one machine: network namespaces with a cable each, names and homes of their own.

The servers are reached over the network alone, at one address behind the switch; a cable can be pulled.
"""

import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from tests.support import aws, opensearch, postgres
from tests.support.machines import elsewhere
from tests.support.proxy import Proxy


def _ip(*args: str) -> None:
    subprocess.run(["ip", *args], check=True, capture_output=True)


@dataclass(frozen=True)
class Host:
    name: str
    home: Path
    namespace: str
    cable: str  # its end at the switch
    hidden: tuple[Path, ...]

    @property
    def through(self) -> list[str]:
        """What a command is started through to run there; its process stays the same."""
        return ["ip", "netns", "exec", self.namespace, *elsewhere(self.name, self.hidden)]

    def unplug(self) -> None:
        """Packets to and from it are lost; nobody is told."""
        _ip("link", "set", self.cable, "down")

    def plug_in(self) -> None:
        _ip("link", "set", self.cable, "up")


@dataclass(frozen=True)
class Network:
    hosts: dict[str, Host]
    env: dict[str, str]  # of every host: where the servers are
    places: dict[str, Proxy]


@contextmanager
def network(names: list[str], folder: Path, evidence: Path) -> Iterator[Network]:
    """Hosts see neither each other's homes nor, but for the first one, the evidence."""
    mark, number = f"{os.getpid() % 100_000}", os.getpid() % 16_000
    prefix = f"10.{64 + number // 256}.{number % 256}"
    homes = {name: folder / name for name in names}
    with ExitStack() as made:
        switch = f"rws{mark}"
        _ip("link", "add", switch, "type", "bridge")
        made.callback(_ip, "link", "del", switch)
        _ip("addr", "add", f"{prefix}.1/24", "dev", switch)
        _ip("link", "set", switch, "up")
        hosts = {}
        for place, name in enumerate(names):
            namespace, cable = f"rw{mark}-{place}", f"rwc{mark}-{place}"
            made.callback(_ip, "netns", "del", namespace)
            _ip("netns", "add", namespace)
            _connect(namespace, cable, switch, f"{prefix}.{10 + place}/24")
            others = [home for other, home in homes.items() if other != name] + ([evidence] if place else [])
            hosts[name] = Host(name, homes[name], namespace, cable, tuple(others))
        for home in homes.values():
            home.mkdir()
        yield _with_servers(hosts, f"{prefix}.1", made)


def _connect(namespace: str, cable: str, switch: str, address: str) -> None:
    _ip("link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", namespace)
    _ip("link", "set", cable, "master", switch, "up")
    _ip("-n", namespace, "addr", "add", address, "dev", "eth0")
    _ip("-n", namespace, "link", "set", "eth0", "up")
    _ip("-n", namespace, "link", "set", "lo", "up")


def _with_servers(hosts: dict[str, Host], address: str, made: ExitStack) -> Network:
    search = urlsplit(opensearch.url()).port
    assert search
    targets: dict[str, int | Path] = {
        "database": postgres.server().socket,
        "objects": aws.server().port,
        "search": search,
    }
    places = {name: made.enter_context(Proxy(target, address)) for name, target in targets.items()}
    env = {
        **aws.server().environment(),
        "AWS_ENDPOINT_URL": f"http://{address}:{places['objects'].port}",
        "REDWELL_DATABASE": postgres.server().url_through(places["database"].port).replace("127.0.0.1", address),
        "REDWELL_SEARCH": "opensearch",
        "REDWELL_OPENSEARCH": f"http://{address}:{places['search'].port}",
    }
    return Network(hosts, env, places)

"""A way to a server that a test can cut, close and slow down: plain TCP, bytes passed on as they come."""

import socket
import threading
from contextlib import suppress
from pathlib import Path

_THROTTLED = b'{"__type":"ThrottlingException","message":"Rate exceeded"}'
_ANSWER = (
    b"HTTP/1.1 400 Bad Request\r\nContent-Type: application/x-amz-json-1.0\r\nConnection: close\r\n"
    b"Content-Length: %d\r\n\r\n%s" % (len(_THROTTLED), _THROTTLED)
)


class Proxy:
    """Listens on a free port, of 127.0.0.1 unless told, for connections to a port there, or to a Unix socket."""

    def __init__(self, target: int | Path, address: str = "127.0.0.1") -> None:
        self._target = target
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._throttled = 0
        self.refusing = False
        self.accepted = 0
        self.streams: list[bytearray] = []  # all that was passed on, by connection and direction
        self._listener = socket.create_server((address, 0))
        self.port = int(self._listener.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Every connection is gone at once, in the middle of whatever it carries."""
        with self._lock:
            for each in self._open:
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)

    def throttle(self, requests: int) -> None:
        """So many of the next connections are told to be patient, in AWS's words."""
        self._throttled = requests
        self.cut()

    def close(self) -> None:
        self.refusing = True
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()

    def __enter__(self) -> "Proxy":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                self.accepted += 1
                if self.refusing:
                    client.close()
                elif self._throttled:
                    self._throttled -= 1
                    threading.Thread(target=_be_patient, args=(client,), daemon=True).start()
                else:
                    self._connect(client)

    def _connect(self, client: socket.socket) -> None:
        server = socket.socket(socket.AF_UNIX if isinstance(self._target, Path) else socket.AF_INET)
        try:
            server.connect(str(self._target) if isinstance(self._target, Path) else ("127.0.0.1", self._target))
        except OSError:
            client.close()
            server.close()
            return
        with self._lock:
            self._open |= {client, server}
        for source, sink in ((client, server), (server, client)):
            threading.Thread(target=self._pump, args=(source, sink), daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        stream = bytearray()
        self.streams.append(stream)
        with suppress(OSError):
            while data := source.recv(1 << 16):
                stream += data
                sink.sendall(data)
        with suppress(OSError):
            sink.shutdown(socket.SHUT_WR)
        with self._lock:
            self._open.discard(source)
        source.close()


def _be_patient(client: socket.socket) -> None:
    with client, suppress(OSError):
        client.settimeout(5)
        head = b""
        while b"\r\n\r\n" not in head:
            head += client.recv(1 << 16)
        headers, _, body = head.partition(b"\r\n\r\n")
        length = next((int(v) for k, v in _headers(headers) if k == b"content-length"), 0)
        while len(body) < length:
            body += client.recv(1 << 16)
        client.sendall(_ANSWER)


def _headers(text: bytes) -> list[tuple[bytes, bytes]]:
    return [(name.strip().lower(), value) for name, _, value in (line.partition(b":") for line in text.splitlines())]

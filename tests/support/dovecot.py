"""A real IMAP server for one test: Dovecot on a free port of 127.0.0.1, with maildirs in a folder of its own."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PASSWORD = "three-words"
_CONFIG = """
base_dir = {folder}/run
log_path = {folder}/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
auth_mechanisms = plain
first_valid_uid = 1
first_valid_gid = 1
mail_location = maildir:{folder}/mail/%u
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid=nobody gid=nogroup home={folder}/mail/%u
}}
service imap-login {{
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
"""


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as door:
        return int(door.getsockname()[1])


@contextmanager
def imap_server() -> Iterator[int]:
    folder = Path(tempfile.mkdtemp(prefix="dovecot"))
    folder.chmod(0o755)
    (folder / "mail").mkdir()
    shutil.chown(folder / "mail", "nobody", "nogroup")
    port = _free_port()
    (folder / "conf").write_text(_CONFIG.format(folder=folder, port=port, password=PASSWORD))
    process = subprocess.Popen([shutil.which("dovecot") or "/usr/sbin/dovecot", "-F", "-c", str(folder / "conf")])
    try:
        _await(port, process, folder / "log")
        yield port
    finally:
        process.terminate()
        process.wait(30)
        shutil.rmtree(folder, ignore_errors=True)


def _await(port: int, process: "subprocess.Popen[bytes]", log: Path) -> None:
    for _ in range(600):
        with socket.socket() as door:
            if door.connect_ex(("127.0.0.1", port)) == 0:
                return
        if process.poll() is not None:
            break
        time.sleep(0.05)
    raise AssertionError(f"dovecot did not start (uid {os.getuid()}): {log.read_text() if log.exists() else ''}")

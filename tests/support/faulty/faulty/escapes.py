"""Ways out of the sandbox. Each raises an error when it is shut, and returns when it is open."""

import ctypes
import json
import mmap
import os
import shutil
import signal
import socket
import sys
from pathlib import Path

from redwell.core.handler import Options, Source

_libc = ctypes.CDLL(None, use_errno=True)


def _checked(result: int) -> None:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def connect_tcp(argument: str, source: Source, scratch: Path, options: Options) -> None:
    with socket.create_connection(("127.0.0.1", int(argument)), timeout=2) as connection:
        connection.sendall(b"evidence")


def send_udp(argument: str, source: Source, scratch: Path, options: Options) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"evidence", ("127.0.0.1", int(argument)))


def connect_unix(argument: str, source: Source, scratch: Path, options: Options) -> None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(argument)
        connection.sendall(b"evidence")


def connect_abstract_unix(argument: str, source: Source, scratch: Path, options: Options) -> None:
    connect_unix(f"\0{argument}", source, scratch, options)


def send_from_a_socket_pair(argument: str, source: Source, scratch: Path, options: Options) -> None:
    one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    one.sendto(b"evidence", argument)


def listen(argument: str, source: Source, scratch: Path, options: Options) -> None:
    socket.create_server(("127.0.0.1", 0))


def use_io_uring(argument: str, source: Source, scratch: Path, options: Options) -> None:
    _checked(_libc.syscall(425, 8, ctypes.create_string_buffer(120)))


def read_outside(argument: str, source: Source, scratch: Path, options: Options) -> None:
    Path(argument).read_bytes()


def list_outside(argument: str, source: Source, scratch: Path, options: Options) -> None:
    os.listdir(argument)


def read_the_memory_of_a_process(argument: str, source: Source, scratch: Path, options: Options) -> None:
    Path(f"/proc/{argument}/mem").open("rb").close()


def read_the_environment_of_a_process(argument: str, source: Source, scratch: Path, options: Options) -> None:
    Path(f"/proc/{argument}/environ").read_bytes()


def write_outside(argument: str, source: Source, scratch: Path, options: Options) -> None:
    Path(argument, "planted").write_text("planted")


def write_to_the_input(argument: str, source: Source, scratch: Path, options: Options) -> None:
    Path(argument).open("r+b").close()


def write_to_the_input_through_its_descriptor(argument: str, source: Source, scratch: Path, options: Options) -> None:
    """Every descriptor of ours on the input, tried as it is, mapped, and opened anew."""
    for name in os.listdir("/proc/self/fd"):
        link = f"/proc/self/fd/{name}"
        if os.path.islink(link) and os.readlink(link) == argument:
            with open(link, "r+b") as again:
                again.write(b"changed")
            with mmap.mmap(int(name), 1) as view:
                view[0] = 0


def truncate_the_input(argument: str, source: Source, scratch: Path, options: Options) -> None:
    os.truncate(argument, 0)


def remove_the_input(argument: str, source: Source, scratch: Path, options: Options) -> None:
    os.unlink(argument)


def rename_the_input(argument: str, source: Source, scratch: Path, options: Options) -> None:
    os.rename(argument, scratch / "mine")


def change_the_mode_of_the_input(argument: str, source: Source, scratch: Path, options: Options) -> None:
    os.chmod(argument, 0o777)


def change_the_times_of_the_input(argument: str, source: Source, scratch: Path, options: Options) -> None:
    os.utime(argument, (0, 0))


def mark_the_input(argument: str, source: Source, scratch: Path, options: Options) -> None:
    os.setxattr(argument, "user.mark", b"x")


def link_the_input_into_scratch(argument: str, source: Source, scratch: Path, options: Options) -> None:
    os.link(argument, scratch / "linked")
    (scratch / "linked").write_bytes(b"changed")


def replace_scratch_by_a_link(argument: str, source: Source, scratch: Path, options: Options) -> None:
    scratch.rmdir()
    scratch.symlink_to(argument)


def move_scratch_away(argument: str, source: Source, scratch: Path, options: Options) -> None:
    scratch.rename(scratch.with_name("elsewhere"))


def leave_a_link_in_scratch(argument: str, source: Source, scratch: Path, options: Options) -> None:
    (scratch / "link").symlink_to(argument)


def reopen_the_spool(argument: str, source: Source, scratch: Path, options: Options) -> None:
    for spool in sys.argv[3:]:
        os.open(f"/proc/self/fd/{spool}", os.O_WRONLY | os.O_TRUNC)


def signal_a_process(argument: str, source: Source, scratch: Path, options: Options) -> None:
    os.kill(int(argument), signal.SIGTERM)


def signal_everyone(argument: str, source: Source, scratch: Path, options: Options) -> None:
    """Signal 0 is no more than the permission to send one: a breach must not end the machine."""
    os.kill(-1, 0)


def lower_the_limits_of_a_process(argument: str, source: Source, scratch: Path, options: Options) -> None:
    import resource

    resource.prlimit(int(argument), resource.RLIMIT_NOFILE, (3, 3))


def trace_a_process(argument: str, source: Source, scratch: Path, options: Options) -> None:
    _checked(_libc.ptrace(16, int(argument), 0, 0))


def mount_something(argument: str, source: Source, scratch: Path, options: Options) -> None:
    _checked(_libc.mount(b"none", str(scratch).encode(), b"tmpfs", 0, None))


def make_a_namespace(argument: str, source: Source, scratch: Path, options: Options) -> None:
    _checked(_libc.unshare(0x10000000))


def start_a_program(argument: str, source: Source, scratch: Path, options: Options) -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def raise_own_limits(argument: str, source: Source, scratch: Path, options: Options) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def see_secrets_in_the_environment(argument: str, source: Source, scratch: Path, options: Options) -> None:
    if argument not in os.environ:
        raise KeyError(argument)


def leave_files_at_home(argument: str, source: Source, scratch: Path, options: Options) -> None:
    """Allowed: home is scratch, and it is empty again for the next document."""
    if list(Path.home().iterdir()):
        raise RuntimeError(f"left from before: {json.dumps(os.listdir(Path.home()))}")
    (Path.home() / ".cache").mkdir()
    shutil.copyfile(source.path(), Path.home() / ".cache" / "evidence")

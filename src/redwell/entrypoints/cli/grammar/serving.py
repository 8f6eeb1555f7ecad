"""The grammar of `serve`, `uploader`, `user` and `token`. Part of the command line's grammar (parser.py)."""

from collections.abc import Callable

from redwell.core.access.rights import Right
from redwell.entrypoints.cli.grammar.command_shapes import Commands, NewCommand

PORT, FILES_PORT = 8420, 80


def add_serving(commands: Commands, command: NewCommand, number: Callable[[int, int], Callable[[str], int]]) -> None:
    serve = command(commands, "serve", "the review page and the API, with a worker beside them", "serving.run_serve")
    serve.add_argument("--host", default="127.0.0.1", metavar="H", help="address to listen on (127.0.0.1)")
    serve.add_argument("--port", type=number(0, 65535), default=PORT, metavar="P", help=f"port (0: any; {PORT})")
    serve.add_argument("--no-worker", action="store_true", help="others do the work: `redwell worker`")
    serve.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change a setting")
    _uploader(commands, command, number)
    _user(commands, command)
    _token(commands, command, number)


def _uploader(commands: Commands, command: NewCommand, number: Callable[[int, int], Callable[[str], int]]) -> None:
    uploader = command(commands, "uploader", "a task of an uploader, as a stack of deploy/aws runs it", "")
    actions = uploader.add_subparsers(metavar="ACTION", required=True, dest="action", help="poll or files")
    poll = command(
        actions,
        "poll",
        "hand the documents of one import to the viewing engine until told to stop",
        "scheduling.run_poll",
    )
    poll.add_argument("--case-number", type=number(1, 1 << 31), required=True, metavar="N", help="of the case")
    poll.add_argument("--batch", type=number(1, 1 << 31), required=True, metavar="B", help="whose documents they are")
    poll.add_argument("--queue", required=True, metavar="NAME", help="from which they come")
    files = command(actions, "files", "the file service alone, for the engine beside it", "serving.run_files")
    files.add_argument("--host", default="127.0.0.1", metavar="H", help="address to listen on (127.0.0.1)")
    files.add_argument("--port", type=number(0, 65535), default=FILES_PORT, metavar="P", help=f"port ({FILES_PORT})")
    for action in (poll, files):
        action.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change a setting")


def _user(commands: Commands, command: NewCommand) -> None:
    user = command(commands, "user", "who may sign in at the review page", "")
    actions = user.add_subparsers(metavar="ACTION", required=True, dest="action", help="add, link, list or disable")
    told = {
        "add": "a new person; prints a link at which they choose a password",
        "link": "another link, for who has lost the password",
        "list": "all of them",
        "disable": "nobody signs in as this person any more; sessions and tokens end",
    }
    for name, help_ in told.items():
        action = command(actions, name, help_, "home.people.run_user")
        action.add_argument("--json", action="store_true", help="machine-readable results on stdout")
        if name != "list":
            action.add_argument("name", metavar="NAME", help="of the person")
        if name == "add":
            action.add_argument("--admin", action="store_true", help="may make cases and people")


def _token(commands: Commands, command: NewCommand, number: Callable[[int, int], Callable[[str], int]]) -> None:
    token = command(commands, "token", "secrets with which programs use the API", "")
    actions = token.add_subparsers(metavar="ACTION", required=True, dest="action", help="new, list or revoke")
    new = command(actions, "new", "a token, which is shown only now", "home.people.run_token")
    new.add_argument("name", metavar="NAME", help="what it is for")
    new.add_argument("--user", required=True, metavar="NAME", help="for whom it acts; it may never do more")
    new.add_argument("--case", action="append", metavar="CASE", help="only in this case; several may be named")
    new.add_argument("--right", action="append", choices=[str(r) for r in Right], help="what it may do (read)")
    new.add_argument("--days", type=number(1, 3650), metavar="N", help="ends by itself after so many")
    listed = command(actions, "list", "all of them, without their secrets", "home.people.run_token")
    revoke = command(actions, "revoke", "it opens nothing any more", "home.people.run_token")
    revoke.add_argument("token", type=int, metavar="ID", help="which")
    for action in (new, listed, revoke):
        action.add_argument("--json", action="store_true", help="machine-readable results on stdout")

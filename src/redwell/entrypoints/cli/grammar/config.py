"""The grammar of `config` and `completion`. Part of the command line's grammar (parser.py)."""

from redwell.entrypoints.cli.grammar.command_shapes import Commands, NewCommand


def add_config(commands: Commands, command: NewCommand) -> None:
    config = command(commands, "config", "which settings hold, and whether a file of them is right", "")
    actions = config.add_subparsers(metavar="ACTION", required=True, dest="action", help="show or check")
    show = command(
        actions,
        "show",
        "settings that differ from their defaults, and where that was said",
        "home.configuring.run_show",
    )
    show.add_argument("--all", action="store_true", help="those with their defaults too")
    show.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change a setting")
    check = command(
        actions, "check", "every mistake of a file, for each of its environments", "home.configuring.run_check"
    )
    check.add_argument("file", nargs="?", metavar="FILE", help="instead of the one that holds")
    check.add_argument("--secrets", action="store_true", help="look up secrets too; none is shown")
    for action in (show, check):
        action.add_argument("--json", action="store_true", help="machine-readable results on stdout")
    completion = command(
        commands, "completion", "what a shell needs to complete commands and options", "home.completing.run_completion"
    )
    completion.add_argument(
        "shell", choices=("bash", "zsh", "fish"), help="for which; docs/commands.md says where to put it"
    )

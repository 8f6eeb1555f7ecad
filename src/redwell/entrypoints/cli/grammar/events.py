"""The grammar of `events`. Part of the command line's grammar (parser.py)."""

from redwell.entrypoints.cli.grammar.command_shapes import Commands, NewCommand


def add_events(commands: Commands, command: NewCommand) -> None:
    events = command(commands, "events", "what happened in all cases of this home, asked with SQL", "")
    actions = events.add_subparsers(metavar="ACTION", required=True, dest="action", help="sql or queries")
    sql = command(
        actions, "sql", "answer a SELECT on the view `events`, or a query by its name", "event_queries.run_sql"
    )
    sql.add_argument("query", metavar="QUERY", help="SQL, or a name that `redwell events queries` lists")
    sql.add_argument("--as-is", action="store_true", help="without writing down what has happened since the last time")
    sql.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change a setting")
    forms = sql.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help="machine-readable results on stdout")
    forms.add_argument("--csv", action="store_true", help="comma-separated, with a header")
    queries = command(actions, "queries", "those that are ready to be asked by name", "event_queries.run_queries")
    queries.add_argument("--json", action="store_true", help="machine-readable results on stdout")

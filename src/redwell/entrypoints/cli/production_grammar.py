"""The options of `redwell export`, `production` and `redaction`. Used by the command line's grammar."""

import argparse


def describe_export(export: argparse.ArgumentParser) -> None:
    export.add_argument("--query", required=True, metavar="QUERY", help="which documents; '' means all")
    export.add_argument("-o", "--output", required=True, metavar="DIR", help="a new folder, or one that was begun")
    export.add_argument("--pdf", action="store_true", help="also one PDF of all, with bookmarks; makes what is lacking")
    export.add_argument("--no-natives", action="store_true", help="without the files themselves")
    export.add_argument("--no-text", action="store_true", help="without their texts")

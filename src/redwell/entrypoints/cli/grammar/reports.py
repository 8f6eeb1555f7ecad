"""The arguments of `redwell report`."""

import argparse

REPORT = "what came in, what became of it, versions, settings: the processing report to hand over"


def describe_report(command: argparse.ArgumentParser) -> None:
    command.add_argument("--batch", type=int, metavar="B", help="only this batch")
    command.add_argument("--html", metavar="FILE", help="write it as a page to open or print")
    command.add_argument("--pdf", metavar="FILE", help="write it as a PDF")
    command.add_argument(
        "--appendices", metavar="FOLDER", help="write manifest.csv and exceptions.csv, whose hashes the report has"
    )
    command.add_argument("--verify", action="store_true", help="verify stored bytes and index too; reads all of them")

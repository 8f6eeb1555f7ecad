"""Writes sample evidence into a folder: a small invented dispute, or as many mails as a benchmark wants.

    python examples/sample_evidence.py demo/evidence
    python examples/sample_evidence.py mails --mails 20000 --seed 7

The same arguments give the same bytes. Run by hand, by `make demo`, by tests and benchmarks.
"""

import argparse
import sys
from pathlib import Path

from evidence.bulk import write_mails
from evidence.story import write_story


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path, help="a folder that does not exist yet, or is empty")
    parser.add_argument("--mails", type=int, metavar="N", help="N mails with attachments instead of the story")
    parser.add_argument("--seed", type=int, default=1, help="another seed gives other mails (default 1)")
    arguments = parser.parse_args()
    if arguments.out.exists() and any(arguments.out.iterdir()):
        parser.error(f"{arguments.out} is not empty; name another folder or remove it first")
    if arguments.mails is None:
        written = write_story(arguments.out)
    else:
        written = write_mails(arguments.out, arguments.mails, seed=arguments.seed)
    print(f"{written} files of sample evidence in {arguments.out}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The process that evidence is parsed in: `python -m redwell.handlers.host REQUESTS FRAMES SPOOL0 SPOOL1`.

Started by the parent's pool with four open descriptors, and killed at will.
"""

import os
import sys

from redwell.handlers.sandbox.namespaces import separate


def main() -> None:
    requests, frames, *spools = map(int, sys.argv[1:])
    namespaces = separate()
    # Only now: whatever is imported before would weigh on the launcher and the warden as well.
    from redwell.handlers.workbench import serve

    code = serve(requests, frames, spools, namespaces)
    os._exit(code)  # a library's threads and exit hooks must not hold us up


if __name__ == "__main__":
    main()

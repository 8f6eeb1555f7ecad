"""One `redwell` command in a process of its own, and what it cost: python -m benchmarks.command_cost FILE ARGS...

Writes one JSON object to FILE: CPU seconds of the process itself, and wall time.
"""

import json
import resource
import sys
import time
from pathlib import Path

from redwell.entrypoints.cli.main import main

if __name__ == "__main__":
    began = time.monotonic()
    code = main(sys.argv[2:])
    own_s = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    Path(sys.argv[1]).write_text(json.dumps({"own": own_s, "wall": time.monotonic() - began, "code": int(code)}))

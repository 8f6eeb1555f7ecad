"""Which modules an import runs through on the way of one mail with a DOCX, from the command line to the index.

`python tools/way_of_a_document.py [SOURCE]` traces two imports by this tree's code or by that of another (../old/src):
of a folder with the mail and of an empty one, in the parent with all its threads and in the sandboxed children. A
function that runs for the mail alone is a station of its way; what the empty import runs too is the command around it.
"""

import json
import os
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TRACER = """
import os, sys, threading, time
_log = os.open(os.path.join(os.path.dirname(__file__), "trace"), os.O_WRONLY | os.O_APPEND | os.O_CREAT)
_met = set()
def _note(frame, event, _):
    if event == "call" and frame.f_code.co_flags & 1:  # a function, not the body of a module or a class
        name = frame.f_globals.get("__name__", "")
        if name.startswith("redwell.") and frame.f_code not in _met:
            _met.add(frame.f_code)
            try:
                os.write(_log, f"{time.monotonic_ns()} {name} {frame.f_code.co_qualname}\\n".encode())
            except OSError:
                pass
threading.setprofile(_note)
sys.setprofile(_note)
"""


def main(source: Path) -> int:
    with tempfile.TemporaryDirectory(prefix="redwell-way-") as folder:
        nothing, whole = (traced(Path(folder) / name, source, name == "mail") for name in ("nothing", "mail"))
    around = set(nothing)
    way = [station for station in whole if station not in around]
    for module, function in way:
        print(module, function)
    modules = [module for module, _ in way]
    packages = [module.rpartition(".")[0] for module in modules]
    rooms = [module.split(".")[1] for module in modules]  # core, adapters, load, …
    figures = {
        "stations": len(way),
        "modules": len(set(modules)),
        "packages": len(set(packages)),
        "changes_of_package": _changes(packages),
        "changes_of_room": _changes(rooms),
    }
    print(json.dumps(figures))
    return 0


def traced(folder: Path, source: Path, has_mail: bool) -> list[tuple[str, str]]:
    """Functions in the order in which they were first met, in whichever process."""
    (folder / "in").mkdir(parents=True)
    if has_mail:
        (folder / "in" / "a.eml").write_bytes(_mail())
    (folder / "sitecustomize.py").write_text(TRACER)
    paths = os.pathsep.join([str(folder), str(source)])
    env = {**os.environ, "PYTHONPATH": paths, "REDWELL_HOME": str(folder / "home")}
    command = [Path(sys.executable).parent / "redwell", "import", str(folder / "in"), "--case", "way"]
    subprocess.run([*command, "--set", "slots=1"], env=env, check=True, capture_output=True)
    met = sorted(line.split(" ", 2) for line in (folder / "trace").read_text().splitlines())
    return list(dict.fromkeys((module, function) for _, module, function in met))


def _changes(names: list[str]) -> int:
    return sum(before != after for before, after in pairwise(names))


def _mail() -> bytes:
    sys.path.insert(0, str(ROOT))
    from tests.support.evidence import mail
    from tests.support.office_files import docx, paragraph

    return mail("Valves", "Dear Ann", {"report.docx": docx(paragraph("the report"))})


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "src"))

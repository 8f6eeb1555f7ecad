#!/usr/bin/env bash
# Sample evidence, imported and searched, from nothing to the report. Called by `make demo`; writes into demo/ only.
set -euo pipefail
cd "$(dirname "$0")/.."

export REDWELL_HOME=demo/home

bold='' plain=''
if [ -t 1 ]; then bold=$'\033[1m' plain=$'\033[0m'; fi

say() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }

show() {
    printf '\n$ redwell'
    for word in "$@"; do
        if [[ $word == *[!A-Za-z0-9/.-]* ]]; then word="'$word'"; fi
        printf ' %s' "$word"
    done
    printf '\n'
    .venv/bin/redwell "$@"
}

rm -rf demo
say "Sample evidence of an invented dispute"
.venv/bin/python examples/sample_evidence.py demo/evidence

say "Everything goes in"
show import demo/evidence --case demo

say "It can be searched: words, phrases, prefixes, fields"
show search --case demo 'coating AND damage*'
show search --case demo '"delivery by 1 May"'
show search --case demo 'subject:settlement'

say "What needs a person is listed, with what to do about it"
show exceptions --case demo

say "Nothing was lost"
show verify --case demo

cat <<'END'

Where to look next (each with REDWELL_HOME=demo/home):

  .venv/bin/redwell documents --case demo               every file, mail, attachment and archive member
  .venv/bin/redwell documents --case demo --json --text the same for machines, with the text
  .venv/bin/redwell import YOUR_FOLDER --case yours     evidence of your own; it is only ever read

  .venv/bin/redwell serve                               the review page

  README.md       what works today and what does not
  docs/README.md  commands, settings, outcomes, formats
END

# for somebody who watches; scripts and CI are at the end here
if [ -t 1 ]; then
    say "The review page: open the link below. Ctrl-C ends it"
    exec .venv/bin/redwell serve
fi

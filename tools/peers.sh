#!/usr/bin/env bash
# Prepares what `make bench` compares Redwell with: .venv/peers, and readpst. Quick when nothing has changed.
# Called by `make bench` alone: neither the product nor its tests need any of it.
set -euo pipefail
cd "$(dirname "$0")/.."

peers=.venv/peers
wanted=$(cksum <requirements/peers.txt)

if [ "$(cat $peers/.redwell-peers 2>/dev/null)" != "$wanted" ]; then
    echo "peers: installing the pinned packages into $peers" >&2
    "${PYTHON:-python3}" -m venv --clear $peers
    $peers/bin/python -m pip --disable-pip-version-check install --quiet --require-hashes -r requirements/peers.txt
    echo "$wanted" >$peers/.redwell-peers
fi
if ! command -v readpst >/dev/null; then
    { [ "$(id -u)" = 0 ] && apt-get install -y -qq --no-install-recommends pst-utils >/dev/null; } ||
        echo "peers: no readpst; the page will lack it. To install it: sudo apt-get install pst-utils" >&2
fi

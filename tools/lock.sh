#!/usr/bin/env bash
# Writes requirements/*.txt: exact versions with the hashes of every platform's wheels, and no download address.
# Called by `make lock`. The machine's own pip settings are left out, so that hashes are those of PyPI alone.
set -euo pipefail
cd "$(dirname "$0")/.."

unset PIP_FIND_LINKS PIP_EXTRA_INDEX_URL PIP_INDEX_URL
export PIP_CONFIG_FILE=/dev/null
tool=build/lock

[ -x "$tool/bin/uv" ] || {
    "${PYTHON:-python3}" -m venv "$tool"
    if [ -f requirements/lock.txt ]; then
        "$tool/bin/pip" --disable-pip-version-check install --quiet --require-hashes -r requirements/lock.txt
    else
        "$tool/bin/pip" --disable-pip-version-check install --quiet -r requirements/lock.in
    fi
}

lock() {
    local output=$1
    shift
    "$tool/bin/uv" pip compile --quiet --no-config --system-certs \
        --universal --python-version 3.11 --generate-hashes --custom-compile-command "make lock" \
        "${upgrade[@]}" --output-file "requirements/$output" "$@"
}

upgrade=()
[ "${UPGRADE:-}" = "" ] || upgrade=(--upgrade)
lock lock.txt requirements/lock.in
lock runtime.txt pyproject.toml --extra aws --extra google --extra monitor --extra ocr --extra postgres --extra serve
lock dev.txt pyproject.toml --extra dev --extra aws --extra google --extra model --extra monitor --extra ocr --extra postgres --extra serve --constraint requirements/runtime.txt
lock aws-server.txt requirements/aws-server.in
lock cdk.txt requirements/cdk.in
lock peers.txt requirements/peers.in

if grep -nE '://|^-|file:| /' requirements/*.txt; then
    echo "lock: the lines above name a place; requirements hold names, versions and hashes only" >&2
    exit 1
fi

#!/usr/bin/env bash
# Prepares .venv and the system packages. Called by `make setup`; quick when nothing has changed.
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-python3}
stamp=.venv/.redwell-setup
lists_are_fresh=

say() { printf 'setup: %s\n' "$*" >&2; }

may_install() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; }

apt_install() {
    say "installing system packages: $*"
    [ -n "$lists_are_fresh" ] || apt-get update -qq || say "apt-get update failed; trying with the lists at hand"
    lists_are_fresh=yes
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

missing_system_packages() {
    sed 's/#.*//' tools/system-packages.txt | while read -r package; do
        [ -n "$package" ] || continue
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || echo "$package"
    done
}

system_packages() {
    [ "$(uname)" = Linux ] || return 0
    if ! command -v dpkg-query >/dev/null; then
        say "not a Debian system; install what these packages hold: $(sed 's/#.*//' tools/system-packages.txt | xargs)"
        return 0
    fi
    local missing
    missing=$(missing_system_packages)
    [ -n "$missing" ] || return 0
    # shellcheck disable=SC2086  # one word per package
    if may_install && apt_install $missing; then return 0; fi
    say "missing system packages; going on without them. To install them:"
    say "    sudo apt-get install --no-install-recommends $(echo $missing)"
}

python_with_venv() {
    if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        say "Python 3.11 or later is needed and '$python' is not; name another with: make setup PYTHON=/path/to/python3"
        exit 1
    fi
    "$python" -c 'import ensurepip, venv' 2>/dev/null && return 0
    if may_install && apt_install python3-venv; then return 0; fi
    say "'$python' cannot make virtual environments. To change that: sudo apt-get install python3-venv"
    exit 1
}

wanted() {
    "$python" --version
    cat requirements/dev.txt requirements/aws-server.txt requirements/cdk.txt pyproject.toml | cksum
}

virtual_environment() {
    # The scripts in a virtual environment hold its path: one that was moved or copied is made anew.
    if [ -f "$stamp" ] && [ "$(head -n 1 "$stamp")" != "$PWD" ]; then rm -rf .venv; fi
    if .venv/bin/python -c 'import pip' 2>/dev/null; then return 0; fi
    python_with_venv
    say "making .venv"
    "$python" -m venv --clear .venv
}

# The AWS server of the tests pins packages that Redwell uses in other versions.
local_aws_server() {
    "$python" -m venv --clear .venv/aws-server
    .venv/aws-server/bin/python -m pip --disable-pip-version-check install --quiet --require-hashes -r requirements/aws-server.txt
}

# What makes templates of deploy/aws; Redwell itself needs none of it.
cdk() {
    "$python" -m venv --clear .venv/cdk
    .venv/cdk/bin/python -m pip --disable-pip-version-check install --quiet --no-compile --require-hashes -r requirements/cdk.txt
}

python_packages() {
    say "installing the pinned Python packages into .venv"
    local pip=(.venv/bin/python -m pip --disable-pip-version-check install --quiet)
    "${pip[@]}" --require-hashes -r requirements/dev.txt
    "${pip[@]}" --no-deps --no-build-isolation -e .
    local_aws_server
    cdk
    .venv/bin/python -m tools.model small >/dev/null || say "the small model of the tests can't be had now"
    { echo "$PWD" && wanted; } >"$stamp"
}

# The OpenSearch node of the tests, by its Maven coordinates; without Java or Maven its tests do not run, and say so.
opensearch_node() {
    local folder=.venv/opensearch wanted
    wanted=$(cksum <tools/opensearch.xml)
    [ "$(cat "$folder/.coordinates" 2>/dev/null)" != "$wanted" ] || return 0
    if ! command -v java >/dev/null || ! command -v mvn >/dev/null; then
        say "no Java or no Maven here: the tests on a real OpenSearch node will not run"
        return 0
    fi
    say "fetching the OpenSearch node of the tests"
    rm -rf "$folder"
    if mvn -B -q -f tools/opensearch.xml dependency:copy-dependencies "-DoutputDirectory=$PWD/$folder" >/dev/null; then
        echo "$wanted" >"$folder/.coordinates"
    else
        say "the OpenSearch node could not be fetched: its tests will not run"
    fi
}

system_packages
virtual_environment
if [ "$(cat "$stamp" 2>/dev/null)" != "$(echo "$PWD" && wanted)" ]; then python_packages; fi
opensearch_node
# Every command is a new process; where the environment forbids Python to keep what it compiled, each would do it again.
.venv/bin/python -m compileall -q src tests benchmarks examples

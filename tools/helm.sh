#!/usr/bin/env bash
# Builds helm from its source into .venv/go, once; for `make test-helm`.
set -euo pipefail
cd "$(dirname "$0")/.."
version=v3.19.0
[ "$(cat .venv/go/helm.version 2>/dev/null)" != "$version" ] || exit 0
command -v go >/dev/null || { echo "helm: Go is needed to build it: https://go.dev/dl" >&2; exit 1; }
GOBIN="$PWD/.venv/go" GOFLAGS=-buildvcs=false nice go install "helm.sh/helm/v3/cmd/helm@$version"
echo "$version" >.venv/go/helm.version

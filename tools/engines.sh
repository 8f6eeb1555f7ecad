#!/usr/bin/env bash
# Fetches and builds other implementations of SQS, DynamoDB and S3 into .venv/engines, once; for `make test-engines`.
set -euo pipefail
cd "$(dirname "$0")/.."
elasticmq=1.7.1 dynamodb=3.1.0 versitygw=v1.7.0 folder="$PWD/.venv/engines"
[ "$(cat "$folder/version" 2>/dev/null)" != "$elasticmq $dynamodb $versitygw" ] || exit 0
for program in go mvn java; do
    command -v $program >/dev/null || { echo "engines: $program is needed to fetch and build them" >&2; exit 1; }
done
mkdir -p "$folder"
classes_of() { # NAME GROUP ARTIFACT VERSION
    cat >"$folder/$1.xml" <<POM
<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
  <groupId>redwell</groupId><artifactId>engines</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies><dependency><groupId>$2</groupId><artifactId>$3</artifactId><version>$4</version></dependency></dependencies>
</project>
POM
    nice mvn -q -f "$folder/$1.xml" dependency:build-classpath -Dmdep.outputFile="$folder/$1.cp"
}
classes_of elasticmq org.elasticmq elasticmq-server_2.13 "$elasticmq"
classes_of dynamodb software.amazon.dynamodb DynamoDBLocal "$dynamodb"
GOBIN="$folder" GOFLAGS=-buildvcs=false nice go install "github.com/versity/versitygw/cmd/versitygw@$versitygw"
echo "$elasticmq $dynamodb $versitygw" >"$folder/version"

# What CI runs is `make test`; while working, plain `make` runs the same checks without the set-up.
# Paths are relative throughout: the project works from any folder, spaces included.

BIN := .venv/bin
# of the tests; more than cores, since these wait for processes, servers and leases a third of their time
WORKERS ?= 4
CODE := src tests benchmarks examples tools
export PYTHON ?= python3

.PHONY: screens test-engines test-helm test-opinions test-second check format lint types imports tests setup test demo bench model model-eval fuzz soak docs lock clean help

check: lint types imports tests  ## Everything CI checks (the default)

lint: | $(BIN)/python  ## Formatting and lint rules
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/ruff check $(CODE)

types: | $(BIN)/python  ## Static types
	$(BIN)/mypy

imports: | $(BIN)/python  ## Which package may import which
	$(BIN)/lint-imports

tests: | $(BIN)/python  ## The test suite; `make test-unit` runs tests/unit, and so on
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup

test-engines: test-helm test-opinions test-second  ## What needs programs that are built from their sources first

test-opinions: | $(BIN)/python  ## Queues, registry and blob store on ElasticMQ, DynamoDB Local and versitygw (Go, Maven, Java 17)
	@tools/engines.sh
	REDWELL_TEST_AWS=second $(BIN)/python -m pytest -k "aws or s3" $(addprefix tests/contract/test_,queue.py registry.py blob_store.py s3_blobs.py)

test-second: | $(BIN)/python  ## The second engine of recognition (an extra of 110 MB, left in .venv)
	$(BIN)/pip install -q -e '.[ocr-second]'
	$(BIN)/python -m pytest -m engines tests/faults/test_second_engine.py

test-helm: | $(BIN)/python  ## The Helm chart, by a helm that Go builds (once, some minutes)
	@tools/helm.sh
	$(BIN)/python -m pytest -m engines tests/docs/test_helm.py

test-%: | $(BIN)/python
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup tests/$*

format: | $(BIN)/python  ## Format the code and mend what ruff can mend
	$(BIN)/ruff format $(CODE)
	$(BIN)/ruff check --fix $(CODE)

setup:  ## Prepare .venv and the system packages; quick when nothing has changed
	@tools/setup.sh

test: setup  ## Set up, then check: what CI runs
	@$(MAKE) --no-print-directory check

demo: setup  ## Set up, make sample evidence, import it, search it, open the review page
	@tools/demo.sh

bench: setup  ## Measure the import, the queue, the engine and search (30 minutes); PART=search: that one alone
ifdef PART
	$(BIN)/python -m benchmarks.$(PART)
else
	$(BIN)/python -m benchmarks.run
	$(BIN)/python -m benchmarks.queue
	$(BIN)/python -m benchmarks.engine
	$(BIN)/python -m benchmarks.loadfiles
	$(BIN)/python -m benchmarks.loader
	$(BIN)/python -m benchmarks.homes
	$(BIN)/python -m benchmarks.monitor
	$(BIN)/python -m benchmarks.search
	$(BIN)/python -m benchmarks.understanding
	@tools/peers.sh
	$(BIN)/python -m benchmarks.peers
endif

model: setup  ## Assemble a language model for trying and measuring (1.1 GB), checked by its hash
	$(BIN)/python -m tools.model

model-eval: setup  ## Understand documents with known values, and count what is wrong and not flagged (resumable)
	$(BIN)/python -m benchmarks.model_eval $(ARGS)

fuzz: setup  ## Import damaged files of every kind, good ones between them (10 minutes)
	$(BIN)/python -m benchmarks.fuzz

soak: setup  ## Tests of every kind with every other, then imports and clusters killed at random moments (45 minutes)
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup -m soak
	$(BIN)/python -m benchmarks.soak
	$(BIN)/python -m benchmarks.soak_cluster

screens: setup  ## Make the pictures of docs/screens anew; python -m tools.screens FOLDER --axe: of every page, light and dark
	$(BIN)/python -m tools.screens

docs: | $(BIN)/python  ## Write the tables of docs/ anew from the code
	$(BIN)/python -m tools.reference

lock:  ## Write requirements/*.txt anew from pyproject.toml (UPGRADE=1: newest versions)
	@tools/lock.sh

clean:  ## Remove what the targets above have made, .venv and the demo included
	rm -rf .venv build dist demo .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache src/redwell.egg-info
	find src tests benchmarks examples -name __pycache__ -type d -prune -exec rm -rf {} +

help:  ## This list
	@sed -n 's/^\([a-z%-]*\):[^#]*## *\(.*\)/  make \1\t\2/p' Makefile | expand -t 18

$(BIN)/python:
	@echo "There is no .venv yet: run 'make setup' first." >&2; exit 1

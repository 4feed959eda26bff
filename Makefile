# `make solve` and `make test` set everything up in .venv by themselves and reuse what is there. They need python3 with
# pip and venv, and a C++20 compiler; CMake and Ninja come from PyPI.
.DELETE_ON_ERROR:
.PHONY: build solve test test-slow check clean

PYTHON ?= python3
VENV := .venv/bin
PIP := $(VENV)/python -m pip install --quiet --quiet --disable-pip-version-check
NATIVE := CMakeLists.txt pyproject.toml $(wildcard native/*)

build: .venv/built

.venv/tools: pyproject.toml
	@echo "Setting up .venv ..."
	@test -x $(VENV)/python || $(PYTHON) -m venv .venv
	@$(PIP) --upgrade "pip>=25.1"
	@$(PIP) --group build
	@touch $@

.venv/test-tools: .venv/tools
	@echo "Installing the tools of the tests ..."
	@$(PIP) --group test --group check
	@touch $@

.venv/built: .venv/tools $(NATIVE)
	@echo "Compiling the kernels ..."
	@PATH="$(CURDIR)/$(VENV):$$PATH" $(PIP) --no-build-isolation --editable ".[plot]"
	@touch $@

solve: build
	@mkdir -p out
	$(VENV)/errai solve holdem.limit.2p --board Ks8s3d7h --betting rc/cc/ --target 1 --show --plot out/curve.png --out out/turn
	@$(VENV)/errai show out/turn --png out/chart.png >/dev/null
	@echo
	@echo "What to try next, with $(VENV)/errai:"
	@echo "  errai show out/turn --betting rc/cc/cr --hands AA,K8     the answer to a bet, some hands one by one"
	@echo "  errai show out/turn --betting rc/cc/rc/ --board Ks8s3d7h2s    a river where a flush came in"
	@echo "  errai solve --resume out/turn --target 0.3               go on, three times closer"
	@echo "  errai solve holdem.limit.2p --board Ks8s3d --betting rc/ --target 5 --dry-run    what the whole flop would take"

test: build .venv/test-tools
	$(VENV)/python -m pytest -n auto --maxprocesses 8 --dist loadfile

test-slow: build .venv/test-tools
	$(VENV)/python -m pytest -m slow

check: build .venv/test-tools
	$(VENV)/ruff check .
	$(VENV)/ruff format --check .
	$(VENV)/mypy

clean:
	rm -rf .venv build out

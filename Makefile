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
	$(VENV)/errai solve leduc --algorithm cfr+ --target 0.01 --show --plot out/leduc.png --out out/leduc

test: build .venv/test-tools
	$(VENV)/python -m pytest -n auto --maxprocesses 8

test-slow: build .venv/test-tools
	$(VENV)/python -m pytest -m slow

check: build .venv/test-tools
	$(VENV)/ruff check .
	$(VENV)/ruff format --check .
	$(VENV)/mypy

clean:
	rm -rf .venv build out

# `make solve` and `make test` set everything up in .venv by themselves and reuse what is there.
.DELETE_ON_ERROR:
.PHONY: build solve test test-slow check clean

PYTHON ?= python3
VENV := .venv/bin
NATIVE := CMakeLists.txt pyproject.toml $(wildcard native/*)

build: .venv/built

.venv/tools: pyproject.toml
	test -x $(VENV)/python || $(PYTHON) -m venv .venv
	$(VENV)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(VENV)/python -m pip install --quiet --disable-pip-version-check --group build --group test --group check
	touch $@

.venv/built: .venv/tools $(NATIVE)
	PATH="$(CURDIR)/$(VENV):$$PATH" $(VENV)/python -m pip install --quiet --disable-pip-version-check \
		--no-build-isolation --editable ".[plot]"
	touch $@

solve: build
	@mkdir -p out
	$(VENV)/errai solve leduc --algorithm cfr+ --target 0.01 --show --plot out/leduc.png --out out/leduc

test: build
	$(VENV)/python -m pytest -n 2

test-slow: build
	$(VENV)/python -m pytest -m slow

check: build
	$(VENV)/ruff check .
	$(VENV)/ruff format --check .
	$(VENV)/mypy

clean:
	rm -rf .venv build out

# `make solve` and `make test` set everything up in .venv by themselves and reuse what is there. They need python3 with
# pip and venv, and a C++20 compiler; CMake and Ninja come from PyPI.
.DELETE_ON_ERROR:
.PHONY: build solve test test-slow test-sanitized fuzz check docs dist clean

PYTHON ?= python3
VENV := .venv/bin
PIP := $(VENV)/python -m pip install --quiet --quiet --disable-pip-version-check
NATIVE := CMakeLists.txt pyproject.toml src/errai/_native/levels.py $(wildcard native/*.hpp native/*/*)
# Levels of the instruction set to compile: that of this processor, `all`, or a list such as `v2;v3`.
LEVELS ?= native
# What exercises the kernels in one process.
KERNEL_TESTS := tests/native tests/fuzz tests/cards tests/passes tests/storage/test_codec.py tests/solvers \
	tests/evaluate/test_card_blind.py tests/runs/test_flop_worker.py

build: .venv/built-$(LEVELS)

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

.venv/built-$(LEVELS): .venv/tools $(NATIVE)
	@echo "Compiling the kernels ..."
	@PATH="$(CURDIR)/$(VENV):$$PATH" $(PIP) --no-build-isolation --editable ".[plot,serve]" \
		--config-settings "cmake.define.ERRAI_LEVELS=$(LEVELS)"
	@rm -f .venv/built-*
	@touch $@

# Limit flop hold'em, the first two rounds of limit hold'em, whole: about a minute of solving on two cores, 1.7 GB of
# memory, 1.5 GB in out/.
solve: build
	@mkdir -p out
	@echo "Solving limit flop hold'em, the first two rounds of limit hold'em: every hand and every flop, to below 1 mbb/g."
	$(VENV)/errai solve flop-holdem --target 1 --show --plot out/curve.png --out out/flop-holdem
	@$(VENV)/errai show out/flop-holdem --no-values --png out/preflop.png >/dev/null
	@echo
	@echo "What to try next:"
	@echo "  a turn of limit hold'em, every hand and every river:"
	@echo "    $(VENV)/errai solve holdem.limit.2p --board Ks8s3d7h --betting rc/cc/ --target 1 --show --out out/turn"
	@echo "  a no-limit turn with your ranges and bet sizes, to 0.5 % of the pot; then every river below it:"
	@echo "    $(VENV)/errai solve holdem.nolimit.2p --pot 180 --stack 410 --board QsJh2h8c --range-bb 'TT+,AQ+,KQs,T9s' --range-dealer '99-22,AJs-A2s,KTs+' --bets '50%,100% / 60%' --target-pot 0.5 --out out/nolimit-turn"
	@echo "    $(VENV)/errai report out/nolimit-turn --betting cc/"
	@echo "  all of it in the browser: every line, every flop, every hand:"
	@echo "    $(VENV)/errai browse out"
	@echo "  any point of what was just solved, some hands one by one:"
	@echo "    $(VENV)/errai show out/flop-holdem --betting rc/ --board Ks8s3d --hands A2s,K5,98s"
	@echo "  go on until it is twice as close:"
	@echo "    $(VENV)/errai solve --resume out/flop-holdem --target 0.5"
	@echo "  how much a local best response wins against a bot:"
	@echo "    $(VENV)/errai lbr always-call --hands 2x1000"
	@echo "  the solution against a bot, with a confidence interval:"
	@echo "    $(VENV)/errai match out/flop-holdem always-call --game flop-holdem --hands 2x200"
	@echo "  what all of limit hold'em would cost, measured on this machine in a few minutes:"
	@echo "    $(VENV)/errai plan holdem.limit.2p --measure"

test: build .venv/test-tools
	$(VENV)/python -m pytest -n auto --maxprocesses 8 --dist loadfile

test-slow: build .venv/test-tools
	$(VENV)/python -m pytest -m slow

# The kernels under the address and undefined-behaviour sanitizers. (The interpreter's own leaks are not ours.)
test-sanitized: build .venv/test-tools
	@PATH="$(CURDIR)/$(VENV):$$PATH" cmake -S . -B build/sanitized -G Ninja -DPython_EXECUTABLE="$(CURDIR)/$(VENV)/python" \
		-DERRAI_SANITIZE=ON >/dev/null
	@PATH="$(CURDIR)/$(VENV):$$PATH" cmake --build build/sanitized
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 PYTHONPATH=tests ERRAI_SANITIZED=build/sanitized \
		LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
		$(VENV)/python -m pytest -p sanitized_kernels -k "not level" $(KERNEL_TESTS)

# Damaged chunks, sections, files and directories, for longer than `make test` tries them; then random games, boards and
# bets that no earlier run has drawn.
fuzz: build .venv/test-tools
	ERRAI_FUZZ_SECONDS=60 $(VENV)/python -m pytest tests/fuzz
	$(VENV)/python -m pytest -m "hypothesis and not slow" --hypothesis-profile new-examples

check: build .venv/test-tools
	$(VENV)/clang-format --dry-run --Werror $(wildcard native/*.hpp native/*/*)
	$(VENV)/ruff check .
	$(VENV)/ruff format --check .
	$(VENV)/mypy

# The documentation as a site, in build/site.
docs: .venv/tools
	@$(PIP) --group docs
	$(VENV)/mkdocs build --quiet

# The source archive and a wheel with all levels of the instruction set, in dist/. The workflow `wheels.yml` makes the
# wheels for other systems and versions of Python.
dist: .venv/tools
	@$(PIP) --group dist
	$(VENV)/python -m build --outdir dist

clean:
	rm -rf .venv build out dist

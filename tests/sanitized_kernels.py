"""A pytest plugin that loads the sanitized kernels instead of the installed ones; see `make test-sanitized`."""

import importlib.util
import os
import sys
from pathlib import Path

(path,) = Path(os.environ["ERRAI_SANITIZED"]).glob("_native_*.so")
name = f"errai._native.{path.name.split('.')[0]}"
spec = importlib.util.spec_from_file_location(name, path)
assert spec is not None
assert spec.loader is not None
module = importlib.util.module_from_spec(spec)
sys.modules[name] = module
spec.loader.exec_module(module)

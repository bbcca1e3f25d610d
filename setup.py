"""pip install . : CMake builds and installs the module, setuptools makes a wheel of it.

Needs what the distribution packages: cmake, ninja, a C++20 compiler, pybind11, fmt, nlohmann-json, zlib, expat, cairo.
NEUROPRIM_BUILD_DIR names a build folder of CMake with NEUROPRIM_PYTHON=ON to take the module from instead of compiling;
CMAKE_ARGS holds further arguments for CMake.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent


class BuildByCMake(build_ext):
    """The whole package stands in CMake's build folder: compiled part, Python files and models."""

    def run(self):
        build = Path(os.environ.get("NEUROPRIM_BUILD_DIR") or self.compiled())
        package = build / "python" / "neuroprim"
        if self.inplace:
            target = ROOT / "python" / "neuroprim"
            parts = [*package.glob("_core*.so"), package / "models"]
        else:
            target = Path(self.build_lib).resolve() / "neuroprim"
            parts = [part for part in package.iterdir() if part.name != "__pycache__"]
        target.mkdir(parents=True, exist_ok=True)
        for part in parts:
            copy = shutil.copytree if part.is_dir() else shutil.copy2
            copy(part, target / part.name, **({"dirs_exist_ok": True} if part.is_dir() else {}))

    def compiled(self):
        build = str(Path(self.build_temp).resolve())
        options = {
            "CMAKE_BUILD_TYPE": "Release",
            "CMAKE_CXX_FLAGS_RELEASE": "-O2 -DNDEBUG",
            "CMAKE_UNITY_BUILD": "ON",
            "NEUROPRIM_BUILD_CLI": "OFF",
            "NEUROPRIM_SERVE": "OFF",
            "NEUROPRIM_WERROR": "OFF",
            "NEUROPRIM_PYTHON": "ON",
            "Python_EXECUTABLE": sys.executable,
        }
        arguments = [f"-D{name}={value}" for name, value in options.items()]
        arguments += shlex.split(os.environ.get("CMAKE_ARGS", ""))
        subprocess.run(["cmake", "-S", str(ROOT), "-B", build, "-G", "Ninja", *arguments], check=True)
        jobs = ["--parallel", str(self.parallel or os.cpu_count() or 1)]
        subprocess.run(["cmake", "--build", build, "--target", "neuroprim_python", *jobs], check=True)
        return build


def version():
    """CMakeLists.txt has the only copy."""
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(neuroprim VERSION ([0-9.]+)", text).group(1)


setup(
    version=version(),
    package_dir={"": "python"},
    packages=["neuroprim"],
    package_data={"neuroprim": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("neuroprim._core", sources=[])],
    cmdclass={"build_ext": BuildByCMake},
)

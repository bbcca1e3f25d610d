"""Where policies are found: one place for `Policy.load` and for `solve(model=...)`."""

from __future__ import annotations

import os

from . import _core


def model_file(name: str | os.PathLike[str]) -> str:
    """The file of a pretrained policy by its name (`dcmst`, `dcmst-3`, `mrcst`, `stp`, `tree`), or `name` itself, a file."""
    if not isinstance(name, (str, os.PathLike)):
        raise TypeError(f"model: expected a name, a file or a Policy, found {name!r}")
    file = os.fspath(name)
    pretrained = _core.find_model(file) if os.path.basename(file) == file else None
    if pretrained is not None:
        return pretrained
    if file in _core.problems():
        raise ValueError(f"there is no pretrained policy for {file}; looked in {', '.join(_core.model_folders())}")
    if not os.path.exists(file):
        raise FileNotFoundError(f"there is no file {file}, and no pretrained policy of this name")
    return file

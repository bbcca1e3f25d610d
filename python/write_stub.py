"""Writes _solve.pyi into a built package: `solve` with a keyword for each limit of the table of parameters.

    python3 write_stub.py FOLDER      FOLDER holds the package neuroprim, with its compiled part

Editors and mypy cannot know what a function's `**limits` are; the stub says so.
"""

import ast
import sys
from pathlib import Path

FOLDER = Path(sys.argv[1]).resolve()
sys.path.insert(0, str(FOLDER))

from neuroprim._limits import NUMBERS, type_of  # noqa: E402


class Stub(ast.NodeTransformer):
    """Functions without their bodies, and with the keywords that their `**limits` stand for."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        arguments = node.args
        if arguments.kwarg is not None and arguments.kwarg.arg == "limits":
            arguments.kwarg = None
            for name in NUMBERS:
                arguments.kwonlyargs.append(ast.arg(name, ast.parse(type_of(name), mode="eval").body))
                arguments.kw_defaults.append(ast.Constant(None))
        node.decorator_list = [one for one in node.decorator_list if ast.unparse(one) != "with_limits"]
        node.body = [ast.Expr(ast.Constant(...))]
        return node


source = FOLDER / "neuroprim" / "_solve.py"
module = Stub().visit(ast.parse(source.read_text(encoding="utf-8")))
text = "# Made by write_stub.py from _solve.py and the table of parameters.\n" + ast.unparse(ast.fix_missing_locations(module))
source.with_suffix(".pyi").write_text(text + "\n", encoding="utf-8")

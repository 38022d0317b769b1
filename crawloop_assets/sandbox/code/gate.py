"""What the code of a crawler may say: a list of what is allowed, looked at before
anything runs.

It keeps honest code honest, and says by name what to leave out. It holds nobody: that
is the kernel's part.
"""

import ast
import builtins
from collections.abc import Callable, Iterator
from itertools import filterfalse
from typing import TypeGuard

from crawloop_assets.sandbox.code import facade

MOST_CHARS = 64_000
_FUNCTION = "crawl"

_MAY_STAND: frozenset[type[ast.AST]] = frozenset(
    (
        ast.Module, ast.FunctionDef, ast.Lambda, ast.arguments, ast.arg, ast.Return, ast.Assign, ast.AugAssign,
        ast.AnnAssign, ast.For, ast.While, ast.If, ast.Raise, ast.Try, ast.ExceptHandler, ast.Assert, ast.Import,
        ast.ImportFrom, ast.alias, ast.Expr, ast.Pass, ast.Break, ast.Continue, ast.Nonlocal, ast.Delete,
        ast.BoolOp, ast.NamedExpr, ast.BinOp, ast.UnaryOp, ast.IfExp, ast.Dict, ast.Set, ast.ListComp, ast.SetComp,
        ast.DictComp, ast.GeneratorExp, ast.comprehension, ast.Yield, ast.YieldFrom, ast.Compare, ast.Call,
        ast.keyword, ast.FormattedValue, ast.JoinedStr, ast.Constant, ast.Attribute, ast.Subscript, ast.Starred,
        ast.Name, ast.List, ast.Tuple, ast.Slice, ast.Match, ast.match_case, ast.MatchValue, ast.MatchSingleton,
        ast.MatchSequence, ast.MatchMapping, ast.MatchStar, ast.MatchAs, ast.MatchOr,
    )
)  # fmt: skip
_HARMLESS = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
_AT_THE_TOP = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.Assign, ast.AnnAssign)
_IDENTIFIERS = ("id", "name", "asname", "arg", "rest", "attr")
"""Where a node carries a name."""


def refusal_of(source: str) -> str:
    """Why code is not run, with the line; "" if it may be."""
    if len(source) > MOST_CHARS:
        return f"{len(source):,} characters of code; at most {MOST_CHARS:,}"
    try:
        tree = ast.parse(source)
        return next(_refusals(tree), "")
    except SyntaxError as error:
        return f"line {error.lineno}: {error.msg}"
    except (ValueError, RecursionError, MemoryError) as error:
        return f"the code cannot be parsed: {type(error).__name__}"


def _refusals(tree: ast.Module) -> Iterator[str]:
    """Everything that is not allowed."""
    yield from _of_the_whole(tree)
    for node in ast.walk(tree):
        for why in _of_node(node):
            yield f"line {getattr(node, 'lineno', '?')}: {why}"


def _of_the_whole(tree: ast.Module) -> Iterator[str]:
    """What a module must have, and what may stand at its top."""
    for node in filterfalse(_may_be_at_the_top, tree.body):
        yield f"line {node.lineno}: only imports, functions and constants stand outside of functions"
    crawls = list(filter(_is_crawl, tree.body))
    if not crawls or len(crawls[-1].args.args) != len(("html", "url")):
        yield "there is no function crawl(html, url)"


def _may_be_at_the_top(node: ast.stmt) -> bool:
    """Whether a statement may stand outside of functions; a text there says something."""
    is_said = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_said or isinstance(node, _AT_THE_TOP)


def _is_crawl(node: ast.stmt) -> TypeGuard[ast.FunctionDef]:
    """Whether a statement is the function that is asked for."""
    return isinstance(node, ast.FunctionDef) and node.name == _FUNCTION


def _of_node(node: ast.AST) -> Iterator[str]:
    """What is not allowed about one node."""
    kind = type(node)
    if kind not in _MAY_STAND and not isinstance(node, _HARMLESS):
        yield f"{kind.__name__} is not part of the language of crawlers"
    for place in _IDENTIFIERS:
        name = getattr(node, place, None)
        if isinstance(name, str) and name.startswith("__"):
            yield f"{name} may not be named"
    check = _CHECKS.get(kind)
    if check is not None:
        yield from check(node)


def _function(node: ast.FunctionDef) -> Iterator[str]:
    """A function may have no decorators."""
    if node.decorator_list:
        yield "decorators are not part of the language of crawlers"


def _attribute(node: ast.Attribute) -> Iterator[str]:
    """Only known names stand after a dot, and none is set."""
    if not isinstance(node.ctx, ast.Load):
        yield f".{node.attr} may not be set"
    if node.attr not in facade.ALLOWED_ATTRIBUTES:
        yield f".{node.attr} is not among the names that may stand after a dot"


def _name(node: ast.Name) -> Iterator[str]:
    """Of the builtins those that compute."""
    if node.id in facade.SAFE_BUILTINS or not hasattr(builtins, node.id):
        return
    yield f"{node.id} is not among the builtins of crawlers"


def _import(node: ast.Import) -> Iterator[str]:
    """Only modules there is a copy of."""
    for alias in node.names:
        if alias.name not in facade.MODULES:
            yield f"{alias.name} cannot be imported"


def _import_from(node: ast.ImportFrom) -> Iterator[str]:
    """Only names that the copy of a module has."""
    module = facade.MODULES.get(node.module or "")
    if module is None or node.level:
        yield f"{node.module} cannot be imported"
        return
    for alias in node.names:
        if alias.name not in vars(module):
            yield f"{alias.name} cannot be imported from {node.module}"


def _constant(node: ast.Constant) -> Iterator[str]:
    """Ellipsis and complex numbers are no data."""
    if node.value is Ellipsis or isinstance(node.value, complex):
        yield f"{node.value!r} is no data"


_CHECKS: dict[type[ast.AST], Callable[..., Iterator[str]]] = {
    ast.FunctionDef: _function,
    ast.Attribute: _attribute,
    ast.Name: _name,
    ast.Import: _import,
    ast.ImportFrom: _import_from,
    ast.Constant: _constant,
}

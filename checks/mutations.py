"""Small faults of a Python file: each is one place changed as a tired hand would."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, starmap

_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_CALCULATED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
}


@dataclass(frozen=True)
class Mutant:
    """One change: the text between two offsets of the source and what stands there
    instead."""

    line: int
    start: int
    end: int
    old: str
    new: str

    def applied_to(self, source: str) -> str:
        """The source with the fault in it."""
        return source[: self.start] + self.new + source[self.end :]


def mutants_of(source: str) -> list[Mutant]:
    """Every fault that can be made in the functions of a file, in order of place.

    Annotations, docstrings, decorators and formatted strings are left alone.
    """
    places = _Places(source)
    found: list[Mutant] = []
    for function in _functions(ast.parse(source)):
        for node in chain.from_iterable(map(_inside, function.body)):
            found.extend(starmap(places.mutant, _faults(node)))
    unique = {(one.start, one.end, one.new): one for one in found}
    return [unique[key] for key in sorted(unique)]


class _Places:
    """Where nodes stand in the source, as offsets of characters."""

    def __init__(self, source: str):
        self._source = source
        self._lines = [line.encode() for line in source.splitlines(keepends=True)]
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line.decode()))

    def mutant(self, node: ast.expr | ast.stmt, new: str) -> Mutant:
        start = self._offset(node.lineno, node.col_offset)
        end = self._offset(node.end_lineno or node.lineno, node.end_col_offset or 0)
        return Mutant(node.lineno, start, end, self._source[start:end], new)

    def _offset(self, line: int, column: int) -> int:
        before = self._lines[line - 1][:column].decode()
        return self._starts[line - 1] + len(before)


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def _inside(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """A statement and what is in it, without annotations, strings and inner
    functions."""
    if isinstance(node, ast.JoinedStr | ast.FunctionDef | ast.AsyncFunctionDef):
        return
    if isinstance(node, ast.expr | ast.stmt):
        yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        children = value if isinstance(value, list) else [value]
        for child in children:
            if isinstance(child, ast.AST):
                yield from _inside(child)


Place = tuple[ast.expr | ast.stmt, str]


def _faults(node: ast.expr | ast.stmt) -> Iterator[Place]:
    """What may be put in the place of a node, or of a condition in it."""
    if isinstance(node, ast.stmt):
        yield from _faults_of_statement(node)
    elif isinstance(node, ast.Constant):
        yield from _faults_of_constant(node)
    else:
        yield from ((node, _text(other)) for other in _other_expressions(node))


def _other_expressions(node: ast.expr) -> Iterator[ast.expr]:
    """What a tired hand might have written for an expression."""
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in _COMPARED:
            other = _COMPARED[type(operator)]()
            yield ast.Compare(node.left, [other], node.comparators)
        case ast.BoolOp(op=ast.And()):
            yield ast.BoolOp(ast.Or(), node.values)
        case ast.BoolOp(op=ast.Or()):
            yield ast.BoolOp(ast.And(), node.values)
        case ast.UnaryOp(op=ast.Not()):
            yield node.operand
        case ast.BinOp(op=calculated) if type(calculated) in _CALCULATED:
            changed = _CALCULATED[type(calculated)]()
            yield ast.BinOp(node.left, changed, node.right)
        case ast.IfExp():
            yield ast.IfExp(node.test, node.orelse, node.body)


def _faults_of_constant(node: ast.Constant) -> Iterator[Place]:
    match node.value:
        case bool() as truth:
            yield node, repr(not truth)
        case int() | float() as number:
            yield node, repr(number + 1)


def _faults_of_statement(node: ast.stmt) -> Iterator[Place]:
    match node:
        case ast.Return(value=ast.expr() as value) if not _is_none(value):
            yield node, "return None"
        case ast.Expr(value=ast.Call() | ast.Await()):
            yield node, "pass"
        case ast.Continue() | ast.Break():
            yield node, "pass"
        case ast.If(test=test) | ast.While(test=test) if _is_plain(test):
            yield test, f"not ({ast.unparse(test)})"


def _is_plain(test: ast.expr) -> bool:
    """Whether no fault is made in the condition itself."""
    return isinstance(test, ast.Name | ast.Attribute | ast.Call | ast.Subscript)


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _text(node: ast.expr) -> str:
    return f"({ast.unparse(ast.fix_missing_locations(node))})"

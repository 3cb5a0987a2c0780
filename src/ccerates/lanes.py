"""Vectors of lanes for compiled code: one number for each of several independent runs.

Numba leaves loops over a few lanes as scalar code whenever LLVM cannot prove that the arrays
involved do not overlap. These types leave nothing to prove: an expression such as
``a * b + 1.0`` on two loaded rows becomes vector instructions, whatever surrounds it. Lanes never
mix (`any_lane` apart) and every operation is the IEEE operation on each lane, so that no number
depends on how many lanes there are or on a lane's companions.

Vectors exist inside kernels only. Arithmetic and comparisons mix vectors and scalars of one kind
(an integer scalar may meet a float vector); `math.sqrt` and `abs` work; `load`, `store`, `gather`
and `scatter` move rows of arrays whose last axis is the lane. The number of lanes must be a
compile-time constant. `math.exp` is our own, see `_exponential`.
"""

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic, models, overload, register_model

_IR = {
    types.float64: ir.DoubleType(),
    types.int64: ir.IntType(64),
    types.uint64: ir.IntType(64),
    types.boolean: ir.IntType(1),
}


class LanesType(types.Type):
    """Numba type of a vector of `lanes` numbers of one element type."""

    def __init__(self, element: types.Type, lanes: int) -> None:
        self.element, self.lanes = element, lanes
        super().__init__(name=f"Lanes({element}, {lanes})")

    @property
    def ir_type(self) -> ir.VectorType:
        """LLVM's type of the vector."""
        return ir.VectorType(_IR[self.element], self.lanes)

    def of(self, element: types.Type) -> "LanesType":
        """Return the type with the same lanes and another element."""
        return LanesType(element, self.lanes)


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, fe_type: LanesType) -> None:
        super().__init__(manager, fe_type, fe_type.ir_type)


def _widen(context: Any, builder: Any, value: Any, kind: types.Type, target: LanesType) -> Any:
    """Return `value` as a vector: itself, or a scalar in every lane."""
    if isinstance(kind, LanesType):
        return value
    scalar = context.cast(builder, value, kind, target.element)
    vector = ir.Constant(target.ir_type, ir.Undefined)
    for lane in range(target.lanes):
        vector = builder.insert_element(vector, scalar, ir.IntType(32)(lane))
    return vector


def _fits(operand: types.Type, vector: LanesType) -> bool:
    """Return whether an operand needs no conversion, or a scalar none that loses a fraction."""
    if isinstance(operand, LanesType):
        return bool(operand == vector)
    return vector.element == types.float64 or not isinstance(operand, types.Float)


def _elementwise(
    emit: Callable[..., Any], elements: Sequence[types.Type], result: types.Type | None = None
) -> Any:
    """Return an intrinsic for an operation on two operands, at least one of them a vector."""

    @intrinsic
    def apply(typing_context: Any, left: Any, right: Any) -> Any:
        vector = left if isinstance(left, LanesType) else right
        if vector.element not in elements or not (_fits(left, vector) and _fits(right, vector)):
            raise TypingError(f"no such operation in lanes on {left} and {right}")

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            operands = [
                _widen(context, builder, value, kind, vector)
                for value, kind in zip(arguments, signature.args, strict=True)
            ]
            return emit(builder, *operands)

        return vector.of(result or vector.element)(left, right), generate

    return apply


def _emit(name: str) -> Callable[..., Any]:
    """Return a function that emits LLVM's instruction, or its variant for floats."""

    def emit(builder: Any, left: Any, right: Any) -> Any:
        is_float = isinstance(left.type.element, ir.DoubleType)
        return getattr(builder, f"f{name}" if is_float else name)(left, right)

    return emit


def _compare(predicate: str) -> Callable[..., Any]:
    def emit(builder: Any, left: Any, right: Any) -> Any:
        is_float = isinstance(left.type.element, ir.DoubleType)
        return (builder.fcmp_ordered if is_float else builder.icmp_signed)(predicate, left, right)

    return emit


# The elements for which LLVM's instruction does what Python's operator does.
_NUMBERS = (types.float64, types.int64, types.uint64)
_SIGNED = (types.float64, types.int64)
_BITS = (types.int64, types.uint64, types.boolean)
_OPERATORS = {
    operator.add: _elementwise(_emit("add"), _NUMBERS),
    operator.sub: _elementwise(_emit("sub"), _NUMBERS),
    operator.mul: _elementwise(_emit("mul"), _NUMBERS),
    operator.truediv: _elementwise(_emit("div"), (types.float64,)),
    operator.lshift: _elementwise(_emit("shl"), (types.int64, types.uint64)),
    operator.rshift: _elementwise(_emit("lshr"), (types.uint64,)),
    operator.xor: _elementwise(_emit("xor"), _BITS),
    operator.or_: _elementwise(_emit("or_"), _BITS),
    operator.lt: _elementwise(_compare("<"), _SIGNED, types.boolean),
    operator.gt: _elementwise(_compare(">"), _SIGNED, types.boolean),
    operator.ge: _elementwise(_compare(">="), _SIGNED, types.boolean),
    operator.eq: _elementwise(_compare("=="), _SIGNED, types.boolean),
}


def _register(function: Any, apply: Any) -> None:
    @overload(function)
    def choose(left, right):  # type: ignore[no-untyped-def]
        if isinstance(left, LanesType) or isinstance(right, LanesType):
            return lambda left, right: apply(left, right)
        return None


for _function, _apply in _OPERATORS.items():
    _register(_function, _apply)


def _unary(llvm_name: str) -> Any:
    """Return an intrinsic for one of LLVM's functions of a float64 vector."""

    @intrinsic
    def apply(typing_context: Any, vector: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            shape = vector.ir_type
            name = f"llvm.{llvm_name}.v{vector.lanes}f64"
            function = cgutils.get_or_insert_function(
                builder.module, ir.FunctionType(shape, [shape]), name
            )
            return builder.call(function, arguments)

        return vector(vector), generate

    return apply


_square_root = _unary("sqrt")
_absolute = _unary("fabs")


@overload(math.sqrt)
def _overload_sqrt(vector):  # type: ignore[no-untyped-def]
    return (lambda vector: _square_root(vector)) if isinstance(vector, LanesType) else None


@overload(abs)
def _overload_abs(vector):  # type: ignore[no-untyped-def]
    return (lambda vector: _absolute(vector)) if isinstance(vector, LanesType) else None


@intrinsic
def select(typing_context: Any, mask: Any, chosen: Any, other: Any) -> Any:
    """Return `chosen` where `mask` holds and `other` elsewhere; one of the two may be a scalar."""
    vector = chosen if isinstance(chosen, LanesType) else other

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        operands = [
            _widen(context, builder, value, kind, vector)
            for value, kind in zip(arguments[1:], signature.args[1:], strict=True)
        ]
        return builder.select(arguments[0], *operands)

    return vector(mask, chosen, other), generate


@intrinsic
def any_lane(typing_context: Any, mask: Any) -> Any:
    """Return whether `mask` holds in any lane."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        bits = ir.IntType(mask.lanes)
        return builder.icmp_unsigned("!=", builder.bitcast(arguments[0], bits), bits(0))

    return types.boolean(mask), generate


def _convert(element: types.Type, method: str) -> Any:
    @intrinsic
    def apply(typing_context: Any, vector: Any) -> Any:
        result = vector.of(element)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return getattr(builder, method)(arguments[0], result.ir_type)

        return result(vector), generate

    return apply


# Integers below 2**63 as float64; a mask as int64 zeros and ones.
to_float = _convert(types.float64, "sitofp")
to_integer = _convert(types.int64, "zext")
_bits_of = _convert(types.int64, "bitcast")
_from_bits = _convert(types.float64, "bitcast")

_LOG2_E = 1.4426950408889634
# ln 2 in two parts: the first ends in zero bits, so that small multiples of it are exact.
_LN2_HIGH = float.fromhex("0x1.62e42feep-1")
_LN2_LOW = float.fromhex("0x1.a39ef35793c76p-33")
# Added to a number below 2**51 it leaves no bits after the point: rounding to an integer.
_ROUNDING_SHIFT = 1.5 * 2.0**52
_EXPONENT_PLACE = 52


def _exponential(vector):  # type: ignore[no-untyped-def]
    """Return e**x in lanes for |x| <= 708, to within two units in the last place.

    The same instructions on every machine, unlike the C library's. With x = n ln 2 + r and
    |r| <= (ln 2)/2, e**r is its Taylor polynomial of degree 13 (remainder below 1e-17) and 2**n
    is added to the exponent's bits.
    """
    shifted = vector * _LOG2_E + _ROUNDING_SHIFT
    count = shifted - _ROUNDING_SHIFT
    rest = (vector - count * _LN2_HIGH) - count * _LN2_LOW
    series = rest * (1.0 / 6227020800.0) + 1.0 / 479001600.0
    series = series * rest + 1.0 / 39916800.0
    series = series * rest + 1.0 / 3628800.0
    series = series * rest + 1.0 / 362880.0
    series = series * rest + 1.0 / 40320.0
    series = series * rest + 1.0 / 5040.0
    series = series * rest + 1.0 / 720.0
    series = series * rest + 1.0 / 120.0
    series = series * rest + 1.0 / 24.0
    series = series * rest + 1.0 / 6.0
    series = series * rest + 0.5
    series = (series * rest + 1.0) * rest + 1.0
    return _from_bits(_bits_of(series) + (_bits_of(shifted) << _EXPONENT_PLACE))


@overload(math.exp)
def _overload_exp(vector):  # type: ignore[no-untyped-def]
    return _exponential if isinstance(vector, LanesType) else None


@intrinsic(prefer_literal=True)
def broadcast(typing_context: Any, value: Any, lanes: Any) -> Any:
    """Return a vector that holds `value` in every lane."""
    result = LanesType(types.unliteral(value), lanes.literal_value)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _widen(context, builder, arguments[0], signature.args[0], result)

    return result(value, lanes), generate


def _place(context: Any, value: int) -> Any:
    return context.get_constant(types.intp, value)


def _address(context: Any, builder: Any, signature: Any, arguments: Any, *places: Any) -> Any:
    """Return a pointer into the array, the first argument, at the indices, the second."""
    array_kind, index_kinds = signature.args[:2]
    array = context.make_array(array_kind)(context, builder, arguments[0])
    indices = cgutils.unpack_tuple(builder, arguments[1], len(index_kinds))
    full = [
        context.cast(builder, index, kind, types.intp)
        for index, kind in zip(indices, index_kinds, strict=True)
    ]
    return cgutils.get_item_pointer(
        context, builder, array_kind, array, [*full, *places], wraparound=False
    )


@intrinsic(prefer_literal=True)
def load(typing_context: Any, array: Any, indices: Any, lanes: Any) -> Any:
    """Return the row ``array[indices]``; `indices` is a tuple for all axes but the last."""
    result = LanesType(array.dtype, lanes.literal_value)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        first = _address(context, builder, signature, arguments, _place(context, 0))
        return builder.load(builder.bitcast(first, result.ir_type.as_pointer()), align=8)

    return result(array, indices, lanes), generate


@intrinsic
def store(typing_context: Any, array: Any, indices: Any, vector: Any) -> Any:
    """Set the row ``array[indices]``; `indices` is a tuple for all axes but the last."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        first = _address(context, builder, signature, arguments, _place(context, 0))
        row = builder.bitcast(first, vector.ir_type.as_pointer())
        builder.store(arguments[2], row, align=8)
        return context.get_dummy_value()

    return types.none(array, indices, vector), generate


@intrinsic
def gather(typing_context: Any, array: Any, indices: Any, chosen: Any) -> Any:
    """Return ``array[indices + (chosen[lane], lane)]`` in each lane."""
    result = chosen.of(array.dtype)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = ir.Constant(result.ir_type, ir.Undefined)
        for lane in range(chosen.lanes):
            place = ir.IntType(32)(lane)
            index = builder.extract_element(arguments[2], place)
            address = _address(context, builder, signature, arguments, index, _place(context, lane))
            vector = builder.insert_element(vector, builder.load(address), place)
        return vector

    return result(array, indices, chosen), generate


@intrinsic
def scatter(typing_context: Any, array: Any, indices: Any, chosen: Any, vector: Any) -> Any:
    """Set ``array[indices + (chosen[lane], lane)]`` in each lane."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        for lane in range(chosen.lanes):
            place = ir.IntType(32)(lane)
            index = builder.extract_element(arguments[2], place)
            address = _address(context, builder, signature, arguments, index, _place(context, lane))
            builder.store(builder.extract_element(arguments[3], place), address)
        return context.get_dummy_value()

    return types.none(array, indices, chosen, vector), generate

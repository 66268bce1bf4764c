"""Sequences that grow with each event and share their earlier layers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, Generic, Self, TypeVar, overload

T = TypeVar("T")


class Layers(Sequence[T], Generic[T]):
    """A sequence that events extend: each event adds a layer, and earlier layers are shared.

    Attributes:
        added: the layer of the last event.
        earlier: all layers below it; None for the first layer.
    """

    __slots__ = ("_length", "added", "earlier")

    _length: int

    def __init__(self, added: Iterable[T] = (), earlier: Self | None = None) -> None:
        """Add a layer to the earlier layers."""
        self.added = tuple(added)
        self.earlier = earlier
        self._length = len(self.added) + (0 if earlier is None else earlier._length)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.added, self.earlier)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self)} in {len(self.layers)} layers>"

    def and_then(self, added: Iterable[T]) -> Self:
        """Return these layers with one more layer."""
        return type(self)(added, self)

    @property
    def layers(self) -> tuple[tuple[T, ...], ...]:
        """All layers, oldest first: one for the start, and one for each event."""
        layers = []
        here: Layers[T] | None = self
        while here is not None:
            layers.append(here.added)
            here = here.earlier
        return tuple(reversed(layers))

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[T]:
        return chain.from_iterable(self.layers)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        return tuple(self)[index]

"""The requirements of EPDDL: 61 names, those that entail others, and missing ones."""

from __future__ import annotations

from collections.abc import Iterable

PARTS = ("preconditions", "postconditions", "obs-conditions", "goals", "list-formulas")
"""The parts of a task that have formulas."""

SHAPES = ("negative", "disjunctive", "modal", "existential", "universal", "quantified", "general")
"""The kinds of formulas that a part may need."""

_SINGLE = (
    *("agent-groups", "common-knowledge", "conditional-effects", "del", "equality"),
    *("events-conditions", "finitary-S5-theories", "facts", "general-frames"),
    *("group-modalities", "KD45-frames", "knowing-whether", "lists", "list-comprehensions"),
    *("multi-pointed-models", "ontic-actions", "pal", "partial-observability"),
    *("static-common-knowledge", "typing"),
)

# No list formula is about knowledge, so there is no requirement for it.
_COMPOSED = [f"{shape}-{part}" for shape in SHAPES for part in (*PARTS, "formulas")]

REQUIREMENTS = frozenset(
    f":{name}" for name in (*_SINGLE, *_COMPOSED) if name != "modal-list-formulas"
)
"""All requirements."""


def _entailed() -> dict[str, set[str]]:
    """Return the requirements that each requirement entails directly."""
    entails: dict[str, set[str]] = {
        ":del": {
            *(":typing", ":equality", ":partial-observability", ":ontic-actions"),
            *(":multi-pointed-models", ":general-formulas"),
        },
        ":finitary-S5-theories": {":common-knowledge", ":knowing-whether"},
        ":static-common-knowledge": {":group-modalities"},
        ":common-knowledge": {":group-modalities", ":static-common-knowledge"},
        ":agent-groups": {":lists"},
        ":group-modalities": {":lists"},
    }
    for part in PARTS:
        for shape in SHAPES:
            entails.setdefault(f":{shape}-formulas", set()).add(f":{shape}-{part}")
            if part == "postconditions":
                entails.setdefault(f":{shape}-{part}", set()).add(":conditional-effects")
        general = {f":{shape}-{part}" for shape in SHAPES[:-1]}
        entails.setdefault(f":general-{part}", set()).update(general)
        entails.setdefault(f":negative-{part}", set()).add(f":disjunctive-{part}")
        quantified = {f":existential-{part}", f":universal-{part}"}
        entails.setdefault(f":quantified-{part}", set()).update(quantified)
    return {name: others & REQUIREMENTS for name, others in entails.items()}


_ENTAILED = _entailed()


def entailed(declared: Iterable[str]) -> frozenset[str]:
    """Return the declared requirements, and all that they entail."""
    found = set(declared)
    left = list(found)
    while left:
        new = _ENTAILED.get(left.pop(), set()) - found
        found |= new
        left += new
    return frozenset(found)

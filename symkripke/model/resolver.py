"""The resolution of names: formulas in which each name refers to one version of a fluent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any
from weakref import WeakSet

from symkripke.argument_types import checked, checked_all, unexpected
from symkripke.errors import NestedTooDeeply, UnknownName
from symkripke.language import FALSE, TRUE, Atom, Formula, Kv, Kw, Name, conjunction
from symkripke.language import formulas as f
from symkripke.language.formulas import fold
from symkripke.language.linear import Sum, constant, read_number
from symkripke.language.reduction import write_out_one
from symkripke.language.walk import has_actions, has_announcements, rewrite, under
from symkripke.model.actions import WHICH, ActionModel, PossibleEvent
from symkripke.model.beliefs import Soft
from symkripke.model.events import Constraint, Likelihood
from symkripke.model.resolution_cache import Fixed, ResolutionCache
from symkripke.model.vocabulary import VALUE, Fluent, Number, Vocabulary

Versions = Mapping[str, Name | Fixed]
"""The current version of each changed fluent, by plain name: a name, or a fixed value."""


class Resolver:
    """The names of a structure, with their current meaning.

    In a resolved formula every name refers to one version of a fluent: `x` to the first version and
    `x#1` to the next one. Engines and laws use resolved formulas.

    Attributes:
        vocabulary: the names.
        versions: the current versions of changed fluents.
        cache: resolved formulas, shared by all structures with the same first structure.
    """

    __slots__ = ("_resolved", "cache", "versions", "vocabulary")

    def __init__(
        self,
        vocabulary: Vocabulary,
        versions: Versions | None = None,
        cache: ResolutionCache | None = None,
    ) -> None:
        """Create a resolver; without a cache, the resolver of a first structure."""
        if cache is None:
            defined = {
                name: [formula for _, formula in derived.cases]
                for name, derived in vocabulary.derived.items()
            }
            cache = ResolutionCache(vocabulary.fluents, defined)
        self.vocabulary = vocabulary
        self.versions: Versions = {} if versions is None else versions
        self.cache = cache
        self._resolved: WeakSet[Formula] | None = None
        """Formulas that are their own resolved forms, with names that the first structure lacks."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Resolver, (self.vocabulary, self.versions, self.cache)

    def __repr__(self) -> str:
        return f"<Resolver: {len(self.vocabulary.fluents)} fluents, {len(self.versions)} changed>"

    def extended(self, fluents: Iterable[Fluent]) -> Resolver:
        """Return the resolver with more names; raise `InputError` for a name in use."""
        added = tuple(fluents)
        if not added:
            return self
        return Resolver(self.vocabulary.extended(added), self.versions, self.cache)

    def after(self, action: ActionModel) -> Resolver:
        """Return the resolver after an action, for formulas about the world after it.

        Raises:
            UnknownName: the action changes an unknown fluent.
            InputError: a new fluent has the name of another fluent.
        """
        wide = self.extended(action.fluents)
        changing = dict.fromkeys(
            change.fluent for event in action.events for change in event.postconditions
        )
        return wide.with_versions({name: wide.next_version(name) for name in changing})

    def with_versions(
        self, made: Mapping[str, Fluent], fixed: Mapping[str, Fixed] | None = None
    ) -> Resolver:
        """Return the resolver after changes.

        Args:
            made: new versions that are variables, by plain name.
            fixed: new versions with a commonly known value, by plain name.
        """
        fixed = fixed or {}
        if not made and not fixed:
            return self
        variables = {name: version.name for name, version in made.items()}
        constants: dict[str, str] = {
            Name.of(name).at(now.number): now.value for name, now in fixed.items()
        }
        return Resolver(
            self.vocabulary.extended(made.values(), constants),
            MappingProxyType({**self.versions, **variables, **fixed}),
            self.cache,
        )

    # ---- versions -------------------------------------------------------------------

    def next_version(self, name: str) -> Fluent:
        """Return the next version of a fluent; raise `UnknownName` if the fluent is unknown."""
        return self.vocabulary.version(self.changing(name).name, self.next_number(name))

    def changing(self, name: str) -> Fluent:
        """Return the fluent with this plain name; raise `UnknownName` if there is none."""
        fluent = self.vocabulary.fluents.get(name)
        if fluent is None or fluent.name.is_version:
            raise UnknownName("fluent", name, self.vocabulary.fluents)
        return fluent

    def next_number(self, name: str) -> int:
        """Return the number of the next version of a fluent."""
        last = self.versions.get(name)
        if last is None:
            return 1
        return (last.number if isinstance(last, Fixed) else last.version or 0) + 1

    def is_past(self, name: Name) -> bool:
        """Return whether this is the name of a version that is no longer current."""
        return name.version is not None and name.version + 1 != self.next_number(name.plain)

    def last_variable(self, name: str) -> Name:
        """Return the name of a fluent's last version that is a variable."""
        plain = Name.of(name)
        last = self.versions.get(name, plain)
        if not isinstance(last, Fixed):
            return last
        earlier = map(plain.at, range(last.number - 1, 0, -1))
        return next((one for one in earlier if one in self.vocabulary.fluents), plain)

    def value(self, name: str, world: Mapping[str, str]) -> str:
        """Return the current value of a fluent, given by its plain name, at a world."""
        version = self.versions.get(name, name)
        return version.value if isinstance(version, Fixed) else world[version]

    def stated(self, formula: Formula) -> Formula:
        """Return the resolved formula in current names.

        The current version of a fluent has its plain name, and an earlier first version is `x#0`.
        """

        def change(part: Formula) -> Formula:
            if isinstance(part, Atom):
                return self.stated_atom(part)
            if isinstance(part, f.Linear):
                return _renamed(part, lambda name: self._number(self._stated_name(name)))
            if isinstance(part, Kv):
                return Kv(part.agent, tuple(map(self._stated_name, part.fluents)))
            return part

        return rewrite(formula, change) if self.versions else formula

    def stated_atom(self, atom: Atom) -> Atom:
        """Return the resolved atom with its current name."""
        return Atom(self._stated_name(atom.fluent), atom.value)

    def _stated_name(self, name: Name) -> Name:
        if self.versions.get(name.plain) == name:
            return name.plain
        return name.at(0) if name in self.versions else name

    # ---- formulas -------------------------------------------------------------------

    def fluents(self, name: str) -> tuple[Formula, ...]:
        """Return, for each value of a plain or derived fluent, the formula "it has this value".

        The formulas are resolved. Raise `UnknownName` if the fluent is unknown.
        """
        derived = self.vocabulary.derived.get(name)
        if derived is not None:
            return tuple(self.resolve(formula) for _, formula in derived.cases)
        fluent = self.vocabulary.fluents.get(name)
        if fluent is None:
            raise UnknownName("fluent", name, (*self.vocabulary.fluents, *self.vocabulary.derived))
        return fluent.cases

    def constraint(self, stated: Constraint) -> Constraint:
        """Return the constraint with its names resolved."""
        resolved = self.resolve(stated.formula)
        return stated if resolved is stated.formula else Constraint(resolved, stated.source)

    def likelihoods(self, likelihoods: Iterable[Likelihood]) -> tuple[Likelihood, ...]:
        """Return likelihoods with their names resolved."""
        return tuple(
            Likelihood(
                tuple((self.resolve(case), value) for case, value in likelihood.cases),
                likelihood.source,
            )
            for likelihood in likelihoods
        )

    def soft(self, soft: Iterable[Soft]) -> tuple[Soft, ...]:
        """Return soft constraints with their names resolved."""
        resolved = []
        for belief in checked_all(soft, Soft, "soft"):
            for agent in belief.rank if isinstance(belief.rank, Mapping) else ():
                self.vocabulary.agent(agent)
            resolved.append(Soft(self.resolve(belief.formula), belief.rank, belief.source))
        return tuple(resolved)

    def observed(self, atom: Atom) -> Atom | None:
        """Return the resolved atom that an observer of `atom` observes; None if all know it."""
        resolved = self.resolve(atom)
        if isinstance(resolved, f.Not):  # seeing whether `p = false` is seeing whether p
            resolved = resolved.operand
        return resolved if isinstance(resolved, Atom) else None

    def resolve(self, formula: Formula) -> Formula:
        """Return `formula` with every plain name replaced by its current version.

        The time is linear in the size of the formula. Results are cached for all structures with
        the same first structure.

        Raises:
            UnknownName: the formula has an unknown name.
            InputError: the object is not a formula.
        """
        if isinstance(formula, Atom):  # by far the most frequent case
            return self._resolve_atom(formula)
        if not isinstance(formula, f.Formula):
            raise unexpected("a formula", formula)
        key = self.cache.key(formula, self.versions)
        if key is not None:
            meaning = self.cache.get(key)
            if meaning is None:
                meaning = self._resolve_anew(formula)
                self.cache.add(key, meaning)
            return meaning
        if self._resolved is None:
            self._resolved = WeakSet()
        if formula in self._resolved:
            return formula
        resolved = self._resolve_anew(formula)
        if resolved is formula:
            self._resolved.add(formula)
        return resolved

    def _resolve_anew(self, formula: Formula) -> Formula:
        if has_announcements(formula) and has_actions(formula):
            formula = rewrite(formula, _as_action)
        if not self.versions and self._means_itself(formula):
            return formula

        def visit(part: Formula, operands: tuple[Formula, ...]) -> Formula:
            if isinstance(part, Atom):
                return self._resolve_atom(part)
            if isinstance(part, f.Linear):
                return _renamed(part, self._resolve_number)
            same = part if operands == part.operands else part.rebuild(operands)
            if not isinstance(same, f.Modal) or (isinstance(same, Kv) and same is not part):
                return same  # it was rebuilt from resolved parts
            return self._resolve_operator(same)

        def as_it_is(part: Formula) -> Formula | None:
            return part if part.propositional and self._means_itself(part) else None

        return fold(formula, visit, None if self.versions else as_it_is)

    def _resolve_operator(self, operator: f.Modal) -> Formula:
        """Return an operator with resolved operands, written out if engines do not implement it."""
        self._check(operator)
        if isinstance(operator, f.AfterAction):
            after = self.after(checked(operator.action, ActionModel))
            try:
                after.resolve(operator.then)
            except RecursionError:
                raise NestedTooDeeply from None
        resolved = self._resolve_value(operator) if isinstance(operator, Kv) else operator
        return write_out_one(resolved, self.fluents)

    def _means_itself(self, formula: Formula) -> bool:
        """Return whether the formula is its own resolved form, like most formulas.

        This is true if its fluents have never changed. The result is False for unknown names, which
        are reported later.
        """
        core = under(formula)
        while formula is not core:
            assert isinstance(formula, f.K | f.M | f.Kw | f.B)
            if not self.vocabulary.is_agent(formula.agent):
                return False
            formula = formula.operand
        key = self.cache.key(core, self.versions)
        if key is not None and self.cache.get(key) is core:
            return True
        if not core.propositional:
            return False
        fluents = self.vocabulary.fluents
        stack, seen = [core], {core}
        while stack:
            part = stack.pop()
            if type(part) is Atom:
                fluent = fluents.get(part.fluent)
                if fluent is None or part.value == "false" or part.value not in fluent.positions:
                    return False
                continue
            if isinstance(part, f.Linear):
                if not all(isinstance(fluents.get(name), Number) for name, _ in part.row.sum.terms):
                    return False
                continue
            for inner in part.operands:
                if inner not in seen:
                    seen.add(inner)
                    stack.append(inner)
        if key is not None:
            self.cache.add(key, core)
        return True

    def _check(self, operator: f.Modal) -> None:
        """Raise `UnknownName` for an unknown agent or fluent of the operator."""
        for agent in operator.agents:
            self.vocabulary.agent(agent)
        if isinstance(operator, Kv):
            for name in operator.fluents:
                if self.vocabulary.domain(name) is None:
                    self.fluents(name)

    def _resolve_name(self, name: Name) -> Name | Fixed:
        if name.version is not None and name in self.vocabulary.constants:
            return Fixed(self.vocabulary.constants[name], name.version)
        return name.plain if name.version == 0 else self.versions.get(name, name)

    def resolved_sum(self, total: Sum) -> Sum:
        """Return the sum with current versions of its numbers; raise `InputError` for others."""
        return total.renamed(self._resolve_number)

    def _resolve_number(self, name: Name) -> Sum:
        version = self._resolve_name(name)
        if isinstance(version, Fixed):
            value = read_number(version.value)
            assert value is not None
            return constant(value)
        return self._number(version)

    def _number(self, name: Name) -> Sum:
        number = self.vocabulary.domain(name)
        if not isinstance(number, Number):
            raise UnknownName("number", name, self.vocabulary.numbers)
        return Sum.of(name, is_real=number.is_real)

    def _resolve_atom(self, atom: Atom) -> Formula:
        name, value, fluents = atom.fluent, atom.value, self.vocabulary.fluents
        fluent = self.vocabulary.domain(name)
        if fluent is None:
            raise UnknownName("fluent", name, fluents)
        if isinstance(fluent, Number):
            version = self._resolve_name(name)
            if value == VALUE:
                return TRUE if isinstance(version, Fixed) else Atom(version, VALUE)
            if isinstance(version, Fixed):
                return TRUE if version.value == value else FALSE
            return fluent.renamed(version).equals(value)
        if value not in fluent.positions:
            raise UnknownName(f"value of {name}", value, fluent.values)
        version = self._resolve_name(name)
        if isinstance(version, Fixed):
            return TRUE if version.value == value else FALSE
        if version is name and value != "false":
            return atom
        # `equals`, so that `p = false` becomes `~p`.
        return fluents[version].equals(value)

    def _resolve_value(self, part: Kv) -> Formula:
        names: list[str] = []
        known: list[Formula] = []
        for name in part.fluents:
            derived = self.vocabulary.derived.get(name)
            if derived is not None:
                cases = [(formula, self.resolve(formula)) for _, formula in derived.cases]
                if all(formula is resolved for formula, resolved in cases):
                    names.append(name)
                else:
                    # At another stage, the name would have a different meaning, so use its formula.
                    known.extend(Kw(part.agent, resolved) for _, resolved in cases)
                continue
            version = self._resolve_name(name)
            if not isinstance(version, Fixed):
                names.append(version)
        values = [Kv(part.agent, names)] if names else []
        return conjunction([*values, *known])


def _renamed(formula: f.Linear, meaning: Callable[[Name], Sum]) -> Formula:
    row = formula.row
    return f.linear(row.sum.renamed(meaning), row.relation, row.modulus)


def _as_action(formula: Formula) -> Formula:
    """Return an announcement before a formula with actions, rewritten as an action.

    Names after the announcement then refer to the model there, as after any action.
    """
    match formula:
        case f.Announced(announced, then) if has_actions(then):
            return f.AfterAction(_announcement(announced), then)
        case f.AnnouncedTrue(announced, then) if has_actions(then):
            return f.after_some(_announcement(announced), then)
    return formula


def _announcement(formula: Formula) -> ActionModel:
    return ActionModel(
        f"it is announced that {formula}",
        (PossibleEvent("said", formula),),
        otherwise=WHICH,
        name=f"!{formula}",
    )

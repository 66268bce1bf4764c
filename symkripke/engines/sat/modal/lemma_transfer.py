"""Lemma transfer: which lemmas of a solver stay true after an event.

The solver of a running game moves on (`move`). A solver of an earlier structure to which something
refers stays there, and a solver of a later structure takes over the lemmas that it needs
(`inherit`, `take`).

After an event there are fewer worlds, and agents observe more: what they knew, they still know. So
a lemma core -> K_G f stays true if f speaks of knowledge only positively. A lemma from a swap stays
true if the swap preserves the new constraints, and if the agents still cannot see it; nor may those
agents see it of whose knowledge something was announced.
"""

from __future__ import annotations

from itertools import islice

from symkripke.engines.sat.bits import Literals
from symkripke.engines.sat.modal.normal_form import is_persistent
from symkripke.engines.sat.modal.proxy import Proxy
from symkripke.engines.sat.modal.state import ModalState
from symkripke.engines.sat.swaps.delta import LawDelta
from symkripke.engines.sat.swaps.lemma import Lemma
from symkripke.engines.sat.swaps.projection import ProjectedLaw
from symkripke.model import KnowledgeStructure

# So many worlds are kept at which a formula is true: about one for each agent that is asked about.
WITNESSES = 16


class LemmaTransfer:
    """Takes over lemmas and worlds from earlier structures, for one state."""

    def __init__(self, state: ModalState, earlier: LemmaTransfer | None) -> None:
        """For `state`, which may learn from that of an earlier structure."""
        self._state = state
        self._earlier = earlier
        self._taken: dict[tuple[int, bool], int] = {}
        """How many lemmas of the earlier state have been looked at."""
        self._unseen = 0
        """The variables (bits) on which the truth of new announcements depends."""
        if earlier is not None:
            before = earlier._state
            self._delta = LawDelta.between(state.law, before.structure, state.structure)
            known = set(before.modal_law.announcements)
            for announcement in state.modal_law.announcements:
                if announcement not in known:
                    self._unseen |= announcement.rests_on

    # ---- a solver of its own -----------------------------------------------------------------

    def inherit(self) -> None:
        """Take over the lemmas of the earlier structure that still hold, and worlds that do."""
        assert self._earlier is not None
        state, earlier = self._state, self._earlier._state
        for leaf in earlier.proxies:
            self.take(state.proxy(leaf))
        for formula, target in earlier.targets.items():
            if target.witnesses and is_persistent(formula) and not state.modal_law.announcements:
                state.target(formula).witnesses = self._moved(self._delta, target.witnesses)

    def let_go(self) -> None:
        """Take over nothing more, and drop the earlier state."""
        self._earlier = None

    def take(self, proxy: Proxy) -> None:
        """Take over the earlier state's lemmas about a formula that are new since the last call."""
        if self._earlier is None:
            return
        old = self._earlier._state.proxies.get(proxy.formula)
        if old is None:
            return
        self._earlier.take(old)
        state = self._state
        for truth, fits in ((True, is_persistent(old.formula)), (False, bool(old.operand_fluents))):
            start = self._taken.get((old.literal, truth), 0)
            self._taken[old.literal, truth] = len(old.lemmas[truth])
            if not fits or start == len(old.lemmas[truth]):
                continue
            observed = (proxy.observed_mask & ~old.observed_mask) | self._unseen
            delta = self._delta_for(self._delta, proxy)
            for lemma in islice(old.lemmas[truth], start, None):
                # Agents in announcements may see fluents that the lemma leaves open.
                lost = lemma.free and state.modal_law.announcements
                renewed = lemma if truth else None if lost else delta.renewed(lemma, observed)
                if renewed is not None:
                    state.keep(proxy, truth, renewed)
                    state.inherited += 1

    # ---- the same solver, later --------------------------------------------------------------

    def move(self, earlier: KnowledgeStructure) -> None:
        """Keep the lemmas that still hold, now that the state has moved on from `earlier`."""
        state = self._state
        delta = LawDelta.between(state.law, earlier, state.structure)
        known: dict[tuple[str, ...], list[Proxy]] = {}
        for proxy in state.proxies.values():
            known.setdefault(proxy.agents, []).append(proxy)
        for agents, proxies in known.items():
            views = [state.view(agents, common) for common in (False, True)]
            # A list: while one proxy is renewed, the others must keep their lemmas.
            if any([self._renew(proxy, delta, *views[proxy.common]) for proxy in proxies]):
                state.abstraction.forget(agents)
                for proxy in proxies:
                    again, proxy.lemmas[False] = proxy.lemmas[False], []
                    for lemma in again:
                        state.keep(proxy, False, lemma)
        for formula, target in state.targets.items():
            if target.witnesses:
                persistent = is_persistent(formula)
                target.witnesses = self._moved(delta, target.witnesses) if persistent else []

    def _renew(self, proxy: Proxy, delta: LawDelta, observed: Literals, observed_mask: int) -> bool:
        """Keep the lemmas about a formula that still hold, with their new conditions.

        Its agents now observe the variables `observed`, which are given as bits, too. Returns
        whether some lemmas were dropped.
        """
        before, old = proxy.observed_mask, proxy.lemmas
        proxy.observed, proxy.observed_mask = observed, observed_mask
        if not (old[True] or old[False]):
            return False
        kept: list[Lemma] = []
        if proxy.operand_fluents and old[False]:
            here = self._delta_for(delta, proxy)
            found = [here.renewed(lemma, proxy.observed_mask & ~before) for lemma in old[False]]
            kept = [lemma for lemma in found if lemma is not None]
        proxy.lemmas = {True: old[True] if proxy.persistent else [], False: kept}
        self._state.inherited += len(kept) + len(proxy.lemmas[True])
        return (
            len(kept) < len(old[False])
            or len(proxy.lemmas[True]) < len(old[True])
            or any(new is not lemma for new, lemma in zip(kept, old[False], strict=True))
        )

    def _delta_for(self, delta: LawDelta, proxy: Proxy) -> LawDelta:
        """The delta without the fluents that do not matter to the proxy."""
        law = self._state.law_for(proxy)
        return delta.projected(law) if isinstance(law, ProjectedLaw) else delta

    @staticmethod
    def _moved(delta: LawDelta, witnesses: list[int]) -> list[int]:
        """Some of these worlds, with values for the new fluents."""
        return [later for world in witnesses for later in delta.extended(world)][-WITNESSES:]

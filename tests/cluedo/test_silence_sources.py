"""What follows from a silence is explained by that silence, and by what else it takes."""

from __future__ import annotations

from symkripke.engines import Mark
from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.sat import SatEngine
from symkripke.engines.sat.explain.modal_law_sources import said
from symkripke.engines.smt.recheck import entails
from symkripke.explain import Combined, Evidence, Known
from symkripke.language import Implies, K
from symkripke.play import Table
from symkripke_games.cluedo import GAME

GAMES = (
    (GAME.setup(players=3, size="3/3/3", silence_speaks=True), 5),
    (GAME.setup(players=3, size="3/3/3", silence_speaks=True), 6),
    (GAME.setup(rules="study", players=2, size="3/3/4", silence_speaks=True), 7),
)


def known(evidence: Evidence) -> list[Known]:
    if isinstance(evidence, Combined):
        return [one for part in evidence.parts for one in known(part)]
    return [evidence] if isinstance(evidence, Known) else []


def test_sources_are_minimal_and_prove_what_they_explain() -> None:
    silent = plain = 0
    for setup, seed in GAMES:
        table = Table(GAME, setup, (), seed)
        for _ in table:
            pass
        sat, explicit, meanings = SatEngine(), ExplicitEngine(), {}
        for scene in table.scenes[1::2]:
            for player in setup.players:
                for atom, mark in sat.sheet(scene.perspective(player)):
                    if mark is Mark.OPEN:
                        continue
                    fact = atom if mark is Mark.YES else ~atom
                    (reason,) = known(sat.holds(scene, K(player, fact)).why())
                    for stage in scene.structure.stages:
                        meanings.update(said(sat.evaluator.cache(stage), stage))
                    spoken = [one for one in reason.sources if one in meanings]
                    silent, plain = silent + bool(spoken), plain + (not spoken)
                    premises = [meanings.get(one, one.formula) for one in reason.sources]
                    assert entails(premises, fact), (seed, player, str(fact))
                    for left in range(len(premises) if spoken else 0):
                        rest = premises[:left] + premises[left + 1 :]
                        assert not entails(rest, fact), (seed, player, str(fact))
        for source, meaning in meanings.items():
            before = table.scenes[source.stage - 1].structure
            assert explicit.valid(before, Implies(source.formula, meaning)), (seed, source.words)
    assert silent > 5
    assert plain > 50

"""Players that are not told apart are counted as one place: the same numbers, fewer states."""

from __future__ import annotations

from math import isclose

from symkripke.engines import engine
from symkripke.play import Table, View
from symkripke_games.sleuth import GAME
from symkripke_games.sleuth.answer_sums import told
from symkripke_games.sleuth.deals import Chain, Deals
from symkripke_games.sleuth.gems import HIDDEN


def test_states_and_numbers_of_seven_players() -> None:
    table = Table(GAME, GAME.setup(players=7), ("random",), 1)
    merged, single = 0, 0
    for moment in range(8):
        assert table.step() is not None
        record = [step.outcome.public for step in table.steps]
        view = View(table.setup, table.scene.perspective(table.setup.players[moment % 7]), record)
        deals = Deals(view, engine())
        apart = Chain(deals, ())
        others = table.setup.after(table.setup.players[moment % 7])
        # `total`, `number` and `chances` come from places counted as one.
        assert deals.number == apart.number
        assert apart.each == 1
        for gem, shares in apart.shares.items():
            for place, share in shares.items():
                assert isclose(deals.chances[gem][place], share, rel_tol=1e-12)
        hidden = [shares.get(HIDDEN, 0.0) for shares in deals.chances.values()]
        assert isclose(sum(hidden), 1.0)
        for player in others[:2]:
            held = [gem for gem in deals.open if player in deals.places[gem]]
            if held:
                count = [0] * (1 + max(deals.alike.values()))
                count[deals.alike[held[0]]] = 1
                answer = told(deals.chain(player), player, count, False, 9.0)
                same = told(apart, player, count, False, 9.0)
                for bits, same_bits in zip(answer, same, strict=True):
                    assert isclose(bits, same_bits, abs_tol=1e-9)
        merged += sum(step.ends for step in deals.chain().steps)
        single += sum(step.ends for step in apart.steps)
    assert 4 * merged < single

"""The study's inferences, each as a consequence; and what they miss.

The study's agents keep three lists a player: gems that it has, that it has not, and that it may
have. They infer: seven known, so no others (1); known and possible are seven, so all of these (2).
They find the hidden gem as the last one left (3), or as one that no other player is known to know
(4). Nothing of this is in the program. Below, positions are built from events, and the engine is
asked.
"""

from __future__ import annotations

from symkripke.engines import engine
from symkripke.language import Formula, K, Kw, M
from symkripke.model import Scene
from symkripke.play.dealing import location
from symkripke.play.hands import at, holds
from symkripke_games.sleuth import GAME, knowledge
from symkripke_games.sleuth.gems import HIDDEN
from symkripke_games.sleuth.knowledge import in_play, knows_gem
from symkripke_games.sleuth.rules import NOTHING, SOME, Question
from symkripke_games.sleuth.setup import answer_name

# The study's own size: five players, seven gems each.
HANDS = {
    "ann": "rds rdp rdc ros rop roc rps",
    "bob": "rpp rpc gds gdp gdc gos gop",
    "cath": "goc gps gpp gpc yds ydp ydc",
    "dan": "yos yop yoc yps ypp ypc bds",
    "eve": "bdp bdc bos bop boc bps bpp",
    HIDDEN: "bpc",
}


class Position:
    """A position of five players with the deal of `HANDS`, made event by event."""

    def __init__(self, rules: str, *questions: str) -> None:
        self.setup = GAME.setup(rules=rules, names=tuple(HANDS)[:-1])
        self.places = {gem: place for place, gems in HANDS.items() for gem in gems.split()}
        deal = {location(gem.id): self.places[gem.id] for gem in self.setup.edition.gems}
        self.scene, self.turn = Scene.of(GAME.structure(self.setup), deal), 0
        self.ask(*questions)

    def ask(self, *questions: str) -> None:
        """Questions like "ann bob green"; what is not told follows from the deal."""
        for question in questions:
            player, asked, *elements = question.split()
            self.turn += 1
            gems = self.setup.edition.matching(tuple(elements))
            number = sum(self.places[gem] == asked for gem in gems)
            study = self.setup.rules == "study"
            public = Question(
                turn=self.turn,
                player=player,
                asked=asked,
                elements=tuple(elements),
                number=None if study else number,
            )
            secret = {answer_name(self.turn): SOME if number else NOTHING} if study else {}
            self.scene = self.scene.update(knowledge.event(self.setup, public), secret)

    def check(self, *formulas: Formula) -> None:
        """What these say is so."""
        for formula in formulas:
            assert engine("sat").holds(self.scene, formula), str(formula)


def known(place: str, gems: str = "") -> list[Formula]:
    """Ann knows that these gems are there."""
    return [K("ann", at(gem, place)) for gem in (gems or HANDS[place]).split()]


# ---- the study's four -----------------------------------------------------------------------


def test_seven_known_so_no_others() -> None:
    position = Position("study", "ann bob green")
    position.check(~K("ann", ~holds("bob", "bdp")))
    position.ask("ann bob pearl")
    elsewhere = [gem for gem, place in position.places.items() if place != "bob"]
    position.check(*(K("ann", ~holds("bob", gem)) for gem in elsewhere))


def test_known_and_possible_are_seven_so_all_of_these() -> None:
    """Asked for all but the blue pearls and opals: what else could they be?"""
    position = Position("study", "ann eve red", "ann eve green", "ann eve yellow")
    position.ask("ann dan blue", "ann cath blue", "ann bob pearl")
    # Eight are left for eve; and then she shows nothing.
    position.check(~known("eve", "bos")[0])
    position.ask("ann eve pearl cluster")
    position.check(*known("eve"))


def test_the_last_gem_is_the_hidden_one() -> None:
    position = Position("study")
    for player in ("bob", "cath", "dan"):
        position.ask(*(f"ann {player} {colour}" for colour in ("red", "green", "yellow", "blue")))
    position.ask("ann eve diamond", "ann eve opal", "ann eve pair")
    position.check(~knows_gem("ann"))  # bps or bpc: one is with eve
    position.ask("ann eve solitaire")
    position.check(knows_gem("ann"), *known(HIDDEN))


def test_a_gem_that_nobody_else_holds_is_the_hidden_one() -> None:
    """Though of most other gems ann does not know where they are."""
    position = Position("study", *(f"ann {p} pearl cluster" for p in ("bob", "cath", "dan")))
    position.check(~knows_gem("ann"))
    position.ask("ann eve blue cluster")
    position.check(*known(HIDDEN), *(~one for one in known("bob", "gds gdp gdc gos gop")))


# ---- what the study's rules miss --------------------------------------------------------------


def test_across_hands() -> None:
    """Seven gems that only bob and cath may hold, and fourteen places: all else is elsewhere.

    Ann has asked all so much that the fourteen gems left for bob and cath are theirs, whoever has
    which. So these are in play, and neither of them holds the hidden one.
    """
    position = Position("study")
    for player in ("dan", "eve"):
        for what in ("red", "green", "diamond cluster", "yellow diamond"):
            position.ask(f"ann {player} {what}")
    for player in ("bob", "cath"):
        for what in ("blue", "yellow opal", "yellow pearl"):
            position.ask(f"ann {player} {what}")
    fourteen = (HANDS["bob"] + " " + HANDS["cath"]).split()
    position.check(*(K("ann", in_play(gem)) for gem in fourteen))
    position.check(*(~Kw("ann", holds("bob", gem)) for gem in ("rpp", "gds", "gps")))


def test_public_counts() -> None:
    """Classic: all seven of bob's gems are told in numbers to others, none shown to ann."""
    position = Position("classic", "cath bob green", "dan bob pearl")
    position.ask("eve bob opal", "cath bob red diamond")
    # Five green, two pearls, two opals, so three diamonds; none red: bob's diamonds...
    position.check(K("ann", ~holds("bob", "rdp")), ~known("bob", "gds")[0])
    position.ask("dan bob green pearl")
    # ... five green ones without pearls, two opals: three green diamonds: all of them.
    position.check(*known("bob", "gds gdp gdc"))


def test_what_others_can_be_seen_to_know() -> None:
    """Study: ann learns nothing of an answer to cath; but she sees that cath learns it."""
    position = Position("study", "cath bob red pearl")
    position.check(
        ~Kw("ann", holds("bob", "rpp")),
        K("ann", Kw("cath", holds("bob", "rpp"))),
        # rps is ann's: bob did not show it, so cath knows that he lacks it; ann knows that.
        K("ann", K("cath", ~holds("bob", "rps"))),
        # The study takes "knows that it is in play" for "holds it": cath knows rpp, and lacks it.
        K("cath", in_play("rpp")) & ~holds("cath", "rpp"),
        M("ann", K("cath", in_play("rpp"))),
    )
    # Once bob's gems are all known to ann, she knows what cath saw.
    position.ask("ann bob red")
    position.check(
        K("ann", K("cath", in_play("rpp") & in_play("rpc"))),
        ~K("eve", K("cath", in_play("rpp"))),
    )

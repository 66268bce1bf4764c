"""The study's inferences, as consequences, and inferences that the study misses.

The study's agents keep three lists for each player: gems that the player has, does not have, and
may have. They infer: if seven are known, there are no others (1); if known and possible gems are
seven, all of these (2). They find the hidden gem as the last one left (3), or as a gem that no
other player is known to know (4). None of this is in the program. The tests below build positions
from events, and query the engine.
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

# The study's own size: five players with seven gems each.
HANDS = {
    "ann": "rds rdp rdc ros rop roc rps",
    "bob": "rpp rpc gds gdp gdc gos gop",
    "cath": "goc gps gpp gpc yds ydp ydc",
    "dan": "yos yop yoc yps ypp ypc bds",
    "eve": "bdp bdc bos bop boc bps bpp",
    HIDDEN: "bpc",
}


class Position:
    """A position of five players with the deal of `HANDS`, built event by event."""

    def __init__(self, rules: str, *questions: str) -> None:
        self.setup = GAME.setup(rules=rules, names=tuple(HANDS)[:-1])
        self.places = {gem: place for place, gems in HANDS.items() for gem in gems.split()}
        deal = {location(gem.id): self.places[gem.id] for gem in self.setup.edition.gems}
        self.scene, self.turn = Scene.of(GAME.structure(self.setup), deal), 0
        self.ask(*questions)

    def ask(self, *questions: str) -> None:
        """Ask questions like "ann bob green"; the deal determines the rest."""
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
        """Check that the formulas are true."""
        for formula in formulas:
            assert engine("sat").holds(self.scene, formula), str(formula)


def known(place: str, gems: str = "") -> list[Formula]:
    """Return formulas: Ann knows that these gems are at the place."""
    return [K("ann", at(gem, place)) for gem in (gems or HANDS[place]).split()]


# ---- the study's four inferences -------------------------------------------------------------


def test_seven_known_so_no_others() -> None:
    position = Position("study", "ann bob green")
    position.check(~K("ann", ~holds("bob", "bdp")))
    position.ask("ann bob pearl")
    elsewhere = [gem for gem, place in position.places.items() if place != "bob"]
    position.check(*(K("ann", ~holds("bob", gem)) for gem in elsewhere))


def test_known_and_possible_are_seven_so_all_of_these() -> None:
    """When only seven gems can be with Eve, Ann knows that Eve holds all of them."""
    position = Position("study", "ann eve red", "ann eve green", "ann eve yellow")
    position.ask("ann dan blue", "ann cath blue", "ann bob pearl")
    # Eight gems are left for Eve; then she shows none of the pearl clusters.
    position.check(~known("eve", "bos")[0])
    position.ask("ann eve pearl cluster")
    position.check(*known("eve"))


def test_the_last_gem_is_the_hidden_one() -> None:
    position = Position("study")
    for player in ("bob", "cath", "dan"):
        position.ask(*(f"ann {player} {colour}" for colour in ("red", "green", "yellow", "blue")))
    position.ask("ann eve diamond", "ann eve opal", "ann eve pair")
    position.check(~knows_gem("ann"))  # bps or bpc: Eve has one of them
    position.ask("ann eve solitaire")
    position.check(knows_gem("ann"), *known(HIDDEN))


def test_a_gem_that_nobody_else_holds_is_the_hidden_one() -> None:
    """It follows although Ann does not know the places of most other gems."""
    position = Position("study", *(f"ann {p} pearl cluster" for p in ("bob", "cath", "dan")))
    position.check(~knows_gem("ann"))
    position.ask("ann eve blue cluster")
    position.check(*known(HIDDEN), *(~one for one in known("bob", "gds gdp gdc gos gop")))


# ---- inferences that the study misses ---------------------------------------------------------


def test_across_hands() -> None:
    """If only Bob and Cath may hold fourteen gems, and have fourteen places, all others are
    elsewhere.

    Ann has asked the players until the fourteen gems left for Bob and Cath must be theirs, whoever
    has which. So these gems are in play, and neither player holds the hidden one.
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
    """In the classic game, others hear numbers for all seven of Bob's gems, and Ann sees none."""
    position = Position("classic", "cath bob green", "dan bob pearl")
    position.ask("eve bob opal", "cath bob red diamond")
    # Five green gems, two pearls and two opals imply three diamonds; none of them is red: ...
    position.check(K("ann", ~holds("bob", "rdp")), ~known("bob", "gds")[0])
    position.ask("dan bob green pearl")
    # ... of five green gems without pearls, two are opals, so Bob has all three green diamonds.
    position.check(*known("bob", "gds gdp gdc"))


def test_observed_knowledge_of_others() -> None:
    """In the study, Ann does not learn the answer to Cath, but she knows that Cath learns it."""
    position = Position("study", "cath bob red pearl")
    position.check(
        ~Kw("ann", holds("bob", "rpp")),
        K("ann", Kw("cath", holds("bob", "rpp"))),
        # Ann has rps. Bob did not show it, so Cath knows that he lacks it, and Ann knows that she
        # does.
        K("ann", K("cath", ~holds("bob", "rps"))),
        # The study treats "knows that it is in play" as "holds it": Cath knows rpp and lacks it.
        K("cath", in_play("rpp")) & ~holds("cath", "rpp"),
        M("ann", K("cath", in_play("rpp"))),
    )
    # Once Ann knows all of Bob's gems, she knows what Cath saw.
    position.ask("ann bob red")
    position.check(
        K("ann", K("cath", in_play("rpp") & in_play("rpc"))),
        ~K("eve", K("cath", in_play("rpp"))),
    )

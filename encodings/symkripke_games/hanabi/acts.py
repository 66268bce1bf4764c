"""The events and moves of the game, each with its sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

from symkripke.model import World
from symkripke.play import Act, Outcome, People, View, acts, menu
from symkripke.play.acts import Choice, Given, Part, Slot, Then, Words
from symkripke.play.words import person
from symkripke_games.hanabi import rules
from symkripke_games.hanabi.knowledge import hands, kind_title
from symkripke_games.hanabi.rules import Discard, Happening, Play, Setup, State, Tell, card_name

Said: TypeAlias = acts.Said[Setup]
HanabiView: TypeAlias = View[Setup, Happening]


def kinds(setup: Setup) -> tuple[Choice[str], ...]:
    """Return choices of kinds of card: "red 3", or "r3"."""
    return tuple(Choice(kind, kind_title(kind), (kind[0] + kind[-1],)) for kind in setup.kinds)


def features(setup: Setup) -> tuple[Choice[str], ...]:
    """Return choices of colours and ranks."""
    return tuple(Choice(f, rules.feature_title(f), (f[0], f"{f}s")) for f in setup.features)


def _kind(name: str, ask: Callable[[Said], str]) -> Slot:
    return Slot(name, lambda said: kinds(said.setup), what="a card", ask=ask)


def _places(said: Said) -> tuple[Choice[int], ...]:
    return acts.numbers_to_choose(1, said.setup.size)


def _held(said: Said, player: str) -> list[Choice[int]]:
    return [choice for choice in _places(said) if choice.value in said.state.by_age(player)]


def _cards(said: Said) -> str:
    return ": cards" if (said.count("places") or 0) > 1 else ": card"


_TOLD: tuple[Part, ...] = (
    Words("tells", ("tell", "told", "hints")),
    *acts.a_player(
        "told",
        among=lambda said: said.setup.after(said.me),
        ask=lambda said: f"Whom {said.does} tell?",
        itself="tell",
    ),
    Words("about"),
)
_FEATURE = Slot(
    "feature",
    lambda said: features(said.setup),
    what="a colour or a rank",
    ask=lambda said: f"About which colour or rank {said.does} tell {person(said['told'])}?",
)
_NAMED = Slot(
    "places",
    _places,
    what="a card",
    ask=lambda said: f"Which cards of {person(said['told'])} are named?",
    hinted=lambda said: _held(said, said["told"]),
)
HINT: Act[Setup] = Act(
    rules.Hint,
    (
        *acts.mover(),
        *_TOLD,
        _FEATURE,
        Words(_cards, (": cards",), short=":"),
        acts.some(_NAMED),
        Given("places", lambda said: tuple(sorted(said["places"]))),
        Words("."),
    ),
    typed={"ann tells bob red: 2 and 4": "a hint, and the cards of that colour"},
)

# ---- cards ---------------------------------------------------------------------------------

_PLAYS: Sequence[Choice[bool]] = (
    Choice(True, "plays", ("play", "played")),
    Choice(False, "discards", ("discard", "discarded")),
)


def _fits(said: Said) -> bool | None:
    return said["kind"] in said.state.uses[rules.PLAYABLE] if said["plays"] else None


def _drawn(said: Said) -> Sequence[Part]:
    """Return the parts for the card that is drawn, which the other players see."""
    wrongly = [Words(", which does not fit")] if said["fits"] is False else []
    slot = _kind("drawn", lambda said: f"Which card does {person(said['player'])} draw?")
    new = acts.secret(slot, seen_by=lambda said: said.setup.after(said["player"]), unseen="a card")
    draws: list[Part] = [Words(", and draws", ("draws", "drew")), new]
    return (*wrongly, *(draws if said["draws"] else []))


def _secret(said: Said) -> Mapping[str, str]:
    drawn = said.get("drawn")
    return {card_name(said["player"], said["place"]): drawn} if drawn else {}


def _values_of_put(setup: Setup, outcome: Outcome[rules.Put]) -> Mapping[str, Any]:
    drawn = next(iter(outcome.secret.values()), None)
    return {"plays": outcome.public.fits is not None, "drawn": drawn}


PUT: Act[Setup] = Act(
    rules.Put,
    (
        *acts.mover(),
        Slot("plays", _PLAYS, what="'tells', 'plays' or 'discards'"),
        Words("card"),
        Slot(
            "place",
            _places,
            what="a card",
            ask=lambda said: f"Which card does {person(said['player'])} put down?",
            hinted=lambda said: _held(said, said.me),
        ),
        Words(","),
        _kind("kind", lambda said: f"What is card {said['place']} of {person(said['player'])}?"),
        Given("fits", lambda said: _fits(said)),
        Given("draws", lambda said: said.state.deck > 0),
        Then(_drawn),
        Words("."),
    ),
    secret=_secret,
    more=_values_of_put,
    typed={
        "ann plays 3 red 1 draws white 2": "a card is played, and another one is drawn",
        "ann discards 1 b4": "the same for a discard; you do not see the card that you draw",
    },
)


HAND: Act[Setup] = acts.hand_act(
    lambda said: kinds(said.setup),
    did="sees, from the next player on,",
    twice=True,
    typed={"r1 b3 w5 y1 g2": "the cards of the others, from the player after you"},
)

# ---- moves of people -----------------------------------------------------------------------


def position(view: HanabiView, world: World, players: Iterable[str]) -> State:
    """Return the position, with the cards that these players have in a world."""
    state, now = rules.position(view.setup, tuple(view.record)), view.perspective.structure
    held = [at for at in state.allowed if at[0] in players]
    value = now.resolver.value
    return replace(state, cards={at: value(card_name(*at), world) for at in held})


def seen(view: HanabiView) -> State:
    """Return the position, with the cards of the others."""
    cards = {str(atom.fluent): atom.value for atom in view.perspective.seen}
    return position(view, cards, view.setup.after(view.player))


def _tells(view: HanabiView) -> Iterator[menu.Action]:
    """Yield an action for each player who can be told, with the colours and ranks they hold."""
    able = view.options(Tell)
    for told in dict.fromkeys(move.told for move in able):
        choices = [c for c in features(view.setup) if Tell(told, c.value) in able]
        part = menu.Part("feature", "About what?", (*choices,))
        yield menu.Action(f"tell {person(told)}", partial(Tell, told), (part,))


def _own_card(kind: type[Play | Discard], verb: str) -> Act[Setup]:
    """Return the act of a move with an own card."""

    def able(said: Said) -> list[int]:
        return [move.place for move in said.state.options(kind)]

    slot = Slot("place", _places, what="a card", ask=f"Which card do you {verb}?")
    words = Words(f"{verb}s", (verb, f"{verb}ed"), needed=True), Words("card")
    never = "nobody can discard a card while all hints are left"
    parts = *words, *acts.allowed(slot, f"{verb} card", able, never)
    return acts.move_act(kind, *parts, at="act", typed={f"{verb} 3": f"{verb} a card"})


def _features_of(said: Said) -> list[str]:
    return [move.feature for move in said.state.options(Tell) if move.told == said["told"]]


class _People(People[Setup, Happening]):
    question = "What do you do?"
    features = acts.allowed(_FEATURE, "tell about", _features_of, "no hint is left")
    typed: Mapping[str, str] = {"bob red": "tell Bob which cards are red"}
    moves = (
        acts.move_act(Tell, *_TOLD, *features, at="act", typed=typed, offered=_tells),
        _own_card(Play, "play"),
        _own_card(Discard, "discard"),
    )

    def note(self, view: HanabiView) -> str:
        """Return the cards of the others, the fireworks, and what is left."""
        state = seen(view)
        world = {card_name(*at): kind for at, kind in (state.cards or {}).items()}
        lines = [f"{person(who)}: {cards}." for who, cards in hands(view.setup, world).items()]
        fireworks = ", ".join(f"{suit} {height}" for suit, height in state.heights.items())
        return "\n".join([*lines, f"Fireworks: {fireworks}. {state.left_over}."])


PEOPLE = _People()

"""The games on offer, and the creation of tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any
from unicodedata import normalize

from symkripke.drawing.cards import fan, symbols
from symkripke.errors import InputError, RuleError, check_name
from symkripke.play import Game, Journal, Seat, Setup, game, game_names, read_hand
from symkripke.play.acts import Pending
from symkripke.play.options import typed_values
from symkripke.play.seats import player_id, seated_from
from symkripke.play.strategies import considers, names
from symkripke.play.views.pictures import pictures_for
from symkripke.play.words import person
from symkripke.web.views.demo import demo
from symkripke.web.views.mistakes import Mistake, mistake


@dataclass(frozen=True)
class Offered:
    """A game on the first page.

    Attributes:
        name: the name of the game.
        title: its title.
        summary: its rules in a line.
        fewest: the minimum number of players.
        most: the maximum number of players.
        picture: some of its cards, as SVG.
    """

    name: str
    title: str
    summary: str
    fewest: int
    most: int
    picture: str


@dataclass(frozen=True)
class Choice:
    """An option of a game in a form.

    Attributes:
        name: the name of the option.
        title: its title in the form.
        summary: its effect.
        offered: the values to choose from; empty if any text can be typed.
        value: the current choice; empty if there is none.
        default: the default value; empty if it is not a number, a word, or yes or no.
    """

    name: str
    title: str
    summary: str
    offered: Sequence[str]
    value: str
    default: str


@dataclass(frozen=True)
class Offer:
    """The choices for a new table.

    Attributes:
        game: the name of the game.
        title: the title of the game.
        summary: a line about the game.
        rules: the rule sets, the usual one first.
        chosen: the chosen rule set.
        fewest: the minimum number of players.
        most: the maximum number of players.
        players: the names of the players, as people write them.
        minds: the kinds of player, with the information that each uses.
        levels: for some kinds of player, a title in plain words: "Sharp".
        usual: the default kind of player.
        options: the options of the game.
        verb: the verb for the cards that a player sees of the deal (`Game.dealt_as`).
    """

    game: str
    title: str
    summary: str
    rules: Sequence[str]
    chosen: str
    fewest: int
    most: int
    players: Sequence[str]
    minds: Sequence[tuple[str, str]]
    levels: Mapping[str, str]
    usual: str
    options: Sequence[Choice]
    verb: str


@lru_cache(maxsize=1)
def games() -> tuple[Offered, ...]:
    """Return the installed games."""
    offered, recorded = [], demo().symbols
    for name in game_names():
        played = game(name)
        counts = [count for pair in played.seats.values() for count in pair]
        faces = pictures_for(played, played.setup()).emblem()
        # The page has the symbols of the recorded game already.
        own = symbols(face for face in faces if f'id="face-{face.symbol}"' not in recorded)
        cards = fan(faces, 72, 3, 50, 144)
        emblem = f'{own}<svg class="emblem" viewBox="0 0 144 56" aria-hidden="true">{cards}</svg>'
        offered.append(
            Offered(name, played.title, played.summary, min(counts), max(counts), emblem)
        )
    return tuple(offered)


def offer(
    name: str,
    rules: str,
    players: int | None,
    options: Mapping[str, str],
    named: Sequence[str] = (),
) -> Offer:
    """Return the choices for a new table of a game, given the earlier choices.

    Args:
        name: the game.
        rules: the rule set; empty for the usual one.
        players: the number of players; None for the usual number.
        options: the options that have a value.
        named: the names typed so far, in the order of seats, which are kept.
    """
    played = game(name)
    chosen = rules or played.rules[0]
    check_name("rule set", chosen, played.rules)
    fewest, most = played.seats[chosen]
    values = checked(played, options)
    if players is not None:
        players = min(max(players, fewest), most)
    try:
        setup = played.setup(rules=chosen, players=players, **values)
    except InputError:  # shown when the form is sent
        setup = played.setup(rules=chosen, players=players)
    usual = played.setup(rules=chosen, players=len(setup.players))
    defaults = typed_values(usual, played.options)
    return Offer(
        played.name,
        played.title,
        played.summary,
        played.rules,
        chosen,
        fewest,
        most,
        _kept_names(named, [person(player) for player in setup.players]),
        tuple((mind, considers(played, mind)) for mind in _by_level(played)),
        {mind: level for level, mind in played.levels.items()},
        names(played)[0],
        tuple(
            Choice(
                option,
                definition.title_for(option),
                definition.summary,
                definition.offered,
                str(values.get(option, "")),
                defaults.get(option, ""),
            )
            for option, definition in played.options.items()
        ),
        played.dealt_as,
    )


def _by_level(played: Game[Any, Any]) -> list[str]:
    """Return the kinds of player, those with a level first."""
    levels = list(played.levels.values())
    return [*levels, *(mind for mind in names(played) if mind not in levels)]


def _kept_names(typed: Sequence[str], usual: Sequence[str]) -> tuple[str, ...]:
    """Return the typed name of each seat, or else a usual name that is free."""
    kept = list(typed[: len(usual)])
    taken = {player_id(given).casefold() for given in kept}
    free = [name for name in usual if player_id(name).casefold() not in taken]
    while len(kept) < len(usual):
        own = usual[len(kept)]
        kept.append(own if own in free else free[0])
        free.remove(kept[-1])
    return tuple(kept)


def checked(played: Game[Any, Any], options: Mapping[str, str]) -> dict[str, Any]:
    """Return the options that have a value. Raise `InputError` if a browser may not send them.

    Options that name a file are refused, because a browser must not make the server open files.
    """
    values: dict[str, Any] = {option: value for option, value in options.items() if value}
    for option, value in values.items():
        check_name(f"option of {played.title}", option, played.options)
        if any(sign in value for sign in "/\\") and option == "edition":
            raise InputError(f"option {option}: expected the name of an edition, got {value!r}")
        if value.casefold().endswith(".toml"):
            raise InputError(
                f"option {option}: expected a name, because files can only be given "
                "on the command line"
            )
    return values


def setup_of(name: str, rules: str, players: Sequence[str], options: Mapping[str, str]) -> Setup:
    """Return the chosen setup. Raise `InputError` if it is invalid."""
    played = game(name)
    values = checked(played, options)
    ids = tuple(map(_id, players))
    setup: Setup = played.setup(rules=rules, names=ids, **values)
    return setup


def _id(name: str) -> str:
    """Return a player's name in logs. Raise `RuleError` if pages would show another name."""
    name_id = player_id(name)
    if not name_id:
        raise RuleError("every player needs a name")
    typed = normalize("NFC", " ".join(name.replace("\u2019", "'").split()))
    if person(name_id).casefold() != typed.casefold():
        raise RuleError(
            "a name contains letters, digits, spaces, apostrophes and hyphens only: "
            f"{name!r} cannot be used"
        )
    return name_id


# ---- a real table --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Dealt:
    """The entered cards of a player's hand.

    Attributes:
        said: the entered part, as a sentence; empty if there is none.
        ask: the next question; empty if the hand is complete.
        choices: the possible answers to the question, as users type them.
        cards: the dealt cards; empty until the hand is complete.
        you: the name of the player who holds the hand, as people write it.
        verb: the verb for the hand (`Game.dealt_as`).
        more: the players who were dealt an extra card, if the cards cannot be dealt evenly.
        can_choose: whether the user can choose these players.
        problem: the mistake in the last input; None if there is none.
        players: the names of all players, as people write them.
    """

    said: str
    ask: str
    choices: Sequence[str]
    cards: Sequence[str]
    you: str
    verb: str
    more: Sequence[str]
    can_choose: bool
    players: Sequence[str]
    problem: Mistake | None = None


def real_setup(
    name: str, rules: str, players: Sequence[str], first: str, options: Mapping[str, str]
) -> Setup:
    """Return the setup of a real table, where `first` begins."""
    dealt = setup_of(name, rules, players, options)
    begins = player_id(first) or dealt.players[0]
    check_name("player", begins, dealt.players)
    values = {option: value for option, value in options.items() if value}
    given = seated_from({"rules": rules or None, **values}, dealt.players, begins)
    setup: Setup = game(name).setup(**given)
    return setup


def dealt(
    name: str,
    rules: str,
    players: Sequence[str],
    first: str,
    options: Mapping[str, str],
    you: str,
    hand: str,
) -> Dealt:
    """Return the entered part of your hand: `hand` is the text typed or tapped so far."""
    played = game(name)
    setup = real_setup(name, rules, players, first, options)
    me = player_id(you)
    check_name("player", me, setup.players)
    more = tuple(map(person, played.dealt_more(setup)))
    can_choose = "dealt_more" in played.options and bool(more)
    seats = tuple(map(person, setup.players))
    problem = None
    try:
        cards = read_hand(played, setup, me, hand)
        if not isinstance(cards, Pending):
            played.hand(setup, me, cards)
    except InputError as error:
        problem = mistake(error)
        before, _, _ = hand.rstrip("\n").rpartition("\n")
        cards = read_hand(played, setup, me, before)
    made = partial(
        Dealt,
        you=person(me),
        verb=played.dealt_as,
        more=more,
        can_choose=can_choose,
        players=seats,
        problem=problem,
    )
    if isinstance(cards, Pending):
        return made(cards.said, cards.ask, [choice.word for choice in cards.choices], ())
    return made(played.hand_words(setup, me, cards), "", (), tuple(cards))


def begin_real(
    path: str,
    name: str,
    rules: str,
    players: Sequence[str],
    first: str,
    options: Mapping[str, str],
    you: str,
    hand: str,
) -> None:
    """Write the beginning of the log of a real table."""
    played = game(name)
    setup = real_setup(name, rules, players, first, options)
    me = player_id(you)
    check_name("player", me, setup.players)
    cards = read_hand(played, setup, me, hand)
    if isinstance(cards, Pending):
        raise InputError(f"the hand is incomplete: {cards.ask}")
    played.hand(setup, me, cards)
    Journal.begin(path, played, setup, seat=Seat(me, tuple(cards)))

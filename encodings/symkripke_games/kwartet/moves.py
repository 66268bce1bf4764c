"""What a person can do in Kwartet: the moves, as a menu and as sentences."""

from __future__ import annotations

from symkripke.play.menu import Action, Menu, Part
from symkripke.play.acts import Phrase, Speech, pieces_to_choose, players_to_choose
from symkripke.play.words import person
from symkripke_games.kwartet.notes import Hand, KwartetView, Reader
from symkripke_games.kwartet.rules import Ask, PassTo, Setup, State

Talk = Speech[Setup, KwartetView]


def menu(view: KwartetView) -> Menu:
    """Whom to ask for which card; without cards, by the study's rules, who goes on."""
    decision = view.decision
    assert decision is not None
    if decision.kind == "pass":
        assert decision.options is not None
        players = players_to_choose(option.player for option in decision.options)
        part = Part("player", "Who?", players)
        return Menu("Whose turn shall it be?", (Action("let somebody go on", PassTo, (part,)),))
    hand = Hand(view, Reader())
    asked = Part("asked", "Whom?", players_to_choose(hand.others))
    cards = [card for card in view.setup.cards if card.id in askable(hand)]
    card = Part("card", "For which card?", pieces_to_choose(cards))
    action = Action("ask for a card", Ask, (asked, card))
    return Menu("Whom do you ask for which card?", (action,), note=_held(hand))


def _held(hand: Hand) -> str:
    """The player's cards, group by group."""
    told = [
        f"{', '.join(card.title for card in group.cards if card.id in hand.own)} ({group.title})"
        for group in hand.setup.groups
        if group.id in hand.groups
    ]
    return f"You hold {'; '.join(told)}."


def askable(hand: Hand) -> tuple[str, ...]:
    """The cards that the player may ask for, in the order of the deck."""
    if not hand.setup.allow_bluff:
        return hand.wanted
    return tuple(card for group in hand.groups for card in hand.setup.cards_of[group])


# ---- in words ------------------------------------------------------------------------------------


def _ask(talk: Talk) -> Ask:
    setup = talk.setup
    talk.myself()
    talk.words("asks", "ask", "asked")
    hand = talk.by_rules(lambda view: Hand(view, Reader()))
    others = None if hand is None else talk.people(hand.others)
    asked = talk.pick(
        "asked",
        talk.people(setup.players),
        what="a player",
        ask="Whom do you ask?",
        hinted=others,
    )
    if hand is not None and asked not in hand.others:
        why = "you cannot ask yourself" if asked == talk.seat else f"{person(asked)} has no cards"
        talk.refuse(why, "asked")
    talk.words("for", "for the")
    card = talk.pick(
        "card",
        pieces_to_choose(setup.cards),
        what="a card",
        ask=f"For which card do you ask {person(asked)}?",
        hinted=None
        if hand is None
        else pieces_to_choose(piece for piece in setup.cards if piece.id in askable(hand)),
    )
    if hand is not None and card not in askable(hand):
        talk.refuse(_why_not(hand, card), "card")
    talk.words(".")
    return Ask(asked, card)


def _why_not(hand: Hand, card: str) -> str:
    """Why one may not ask for a card."""
    setup = hand.setup
    title = next(piece.title for piece in setup.cards if piece.id == card)
    group = next(group for group in setup.groups if group.id == setup.group_of[card])
    if card in hand.own:
        return f"you have {title} yourself"
    return f"you have no card of {group.title}, and cannot ask for {title}"


def _pass(talk: Talk) -> PassTo:
    talk.myself()
    talk.words("passes to", "pass to", "lets", "let", "names")
    view = talk.by_rules(lambda view: view)
    able: list[str] | None = None
    if view is not None:
        assert view.decision is not None
        assert view.decision.options is not None
        able = [option.player for option in view.decision.options]
    player = talk.pick(
        "to",
        talk.people(talk.setup.players),
        what="a player",
        ask="Whose turn shall it be?",
        hinted=None if able is None else talk.people(able),
    )
    if able is not None and player not in able:
        talk.refuse(f"{person(player)} has no cards", "to")
    talk.words(".", "go on", "goes on")
    return PassTo(player)


_CARDS, _GROUP = ("fog", "oak", "orc"), "weather"


def example_names(state: State, view: KwartetView | None) -> dict[str, str]:
    """The names for examples: Ann asks Dan for Fog, of the group Weather."""
    setup = state.setup
    asker = state.mover
    others, cards = [player for player in setup.players if player != asker], list(setup.cards)
    if view is not None and view.decision is not None and view.player == asker:
        hand = Hand(view, Reader())
        others = list(hand.others) or others
        cards = [card for card in cards if card.id in askable(hand)] or cards
    found = {"Ann": person(asker), "Dan": person(others[0])}
    known = {card.id: card.title for card in cards}
    left = iter([card.title for card in cards if card.id not in _CARDS])
    for name in _CARDS:
        found[name.title()] = known.get(name) or next(left, "")
    groups = {group.id: group.title for group in setup.groups}
    found[_GROUP.title()] = groups.get(_GROUP, setup.groups[0].title)
    return found


MOVES: tuple[Phrase[Setup], ...] = (
    Phrase(
        Ask,
        _ask,
        lambda setup, move: {"asked": move.asked, "card": move.card},
        when=lambda view: view.decision is not None and view.decision.kind == "ask",
        typed={"dan fog": "ask Dan for Fog"},
    ),
    Phrase(
        PassTo,
        _pass,
        lambda setup, move: {"to": move.player},
        when=lambda view: view.decision is not None and view.decision.kind == "pass",
        typed={"dan": "without cards: it is Dan's turn"},
    ),
)

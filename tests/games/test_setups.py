"""Invalid setups, editions in files, and minds, for all games."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from symkripke.errors import InputError
from symkripke.play import Table, game
from symkripke.play.dealing import location


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("cluedo", {"players": 2}, "for 3 to 6 players, got 2"),
        ("cluedo", {"players": 7}, "for 3 to 6 players, got 7"),
        ("cluedo", {"rules": "study", "players": 1}, "for 2 to 12 players, got 1"),
        ("cluedo", {"size": "0/3/3"}, "at least one card in suspects"),
        ("cluedo", {"size": "9999/9999/9999"}, "at most 100 cards in suspects"),
        ("cluedo", {"size": "1/1/2"}, "too few to deal to 6 players"),
        ("cluedo", {"names": ("ann", "bob", "Envelope")}, "cannot be called 'Envelope'"),
        ("cluedo", {"silence_speaks": "plumb"}, "unknown player in the option silence_speaks"),
        ("cluedo", {"silence_speaks": "plum,Plum"}, "'plum' is given twice in the option"),
        ("cluedo", {"rules": "study", "dealt_more": ("bob",)}, "leave dealt_more out"),
        ("kwartet", {"players": 2}, "for 3 to 6 players, got 2"),
        ("kwartet", {"players": 7}, "for 3 to 6 players, got 7"),
        ("kwartet", {"groups": 0}, "expected 1 to 13 groups of this deck, got 0"),
        ("kwartet", {"groups": 14}, "expected 1 to 13 groups of this deck, got 14"),
        ("kwartet", {"players": 5, "groups": 1}, "4 cards are too few to deal to 5 players"),
        ("kwartet", {"names": ("ann", "table", "bob")}, "a player cannot be called 'table'"),
        ("kwartet", {"forgets": "1.5"}, "option forgets: expected a number from 0 to 1"),
        ("kwartet", {"edition": "ranky"}, "unknown deck 'ranky'.*ranks"),
        ("kwartet", {"edition": "none.toml"}, "cannot read"),
        ("old_maid", {"players": 1}, "is for 2 to 12 players, got 1"),
        ("old_maid", {"players": 13}, "is for 2 to 12 players, got 13"),
        ("old_maid", {"players": 12, "ranks": 2}, "7 cards are too few to deal to 12 players"),
        ("old_maid", {"ranks": 1}, "expected 2 to 13 ranks, got 1"),
        ("old_maid", {"ranks": 14}, "expected 2 to 13 ranks, got 14"),
        ("old_maid", {"names": ("ann", "true")}, "cannot be called 'true'"),
        ("perudo", {"players": 1}, "is for 2 to 6 players, got 1"),
        ("perudo", {"players": 7}, "is for 2 to 6 players, got 7"),
        ("perudo", {"dice": 0}, "expected 1 to 20 dice for each player, got 0"),
        ("perudo", {"dice": 21}, "expected 1 to 20 dice for each player, got 21"),
        ("perudo", {"faces": 1}, "expected dice with 2 to 20 faces, got 1"),
        ("perudo", {"faces": 21}, "expected dice with 2 to 20 faces, got 21"),
        ("perudo", {"first": "zoe"}, "unknown player to begin 'zoe'"),
        ("sleuth", {"players": 2}, "for 3 to 7 players, got 2"),
        ("sleuth", {"players": 8}, "for 3 to 7 players, got 8"),
        ("sleuth", {"rules": "study", "players": 1}, "for 2 to 7 players, got 1"),
        ("sleuth", {"edition": "none.toml"}, "cannot read none.toml"),
        ("sleuth", {"size": "5/3/3"}, "expected 1 to 4 of the colours, got 5"),
        ("sleuth", {"size": "1/1/2"}, "too few for 5 players"),
        ("sleuth", {"names": ("ann", "bob", "Hidden")}, "cannot be called 'Hidden'"),
    ],
)
def test_invalid_setups(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        game(name).setup(**options)


ONE = 'colours = ["A"]\ntypes = ["B"]\nquantities = ["C"]\n'
EACH = 'suspects = ["A"]\nweapons = ["B"]\nrooms = ["C"]\n'


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("cluedo", EACH.replace("B", "A"), "'a' is given twice"),
        ("cluedo", 'suspects = ["A", "B"]\nrooms = ["C"]', "at least one card in weapons"),
        ("cluedo", 'suspects = ["A"]\nweapon = ["B"]', "did you mean 'weapons'"),
        ("cluedo", 'suspects = "A"', "expected a list of cards, .* for 'suspects', got 'A'"),
        ("cluedo", "suspects = [1]", "for 'suspects', got 1$"),
        ("cluedo", EACH.replace("A", "Envelope"), "cannot be called"),
        ("cluedo", EACH.replace('"A"', '{ id = "a b", title = "A" }'), "got 'a b' in suspects"),
        ("kwartet", "Rivers = 4", "expected a list of 4 titles"),
        ("kwartet", 'Rivers = ["Rhine"]', "expected 4 cards in each group, got 1 in 'Rivers'"),
        ("kwartet", 'A = ["a", "b", "c", "a"]', r"'a' is given twice \(in A and in A\)"),
        ("kwartet", 'A = ["a", "b", "c", "?"]', r"with a letter or a digit, got '\?' in A"),
        ("kwartet", 'A = ["a", "b", "c", 4]', "expected a list of 4 titles for 'A', got 4"),
        ("kwartet", 'A = ["a", "b", "c", "table"]', "in A cannot be called 'table'"),
        ("kwartet", "", "expected a deck of one group or more"),
        ("kwartet", "[", "is not TOML"),
        ("sleuth", ONE.replace("B", "A"), "'a' is given twice"),
        ("sleuth", ONE.replace('"A"', '"Blue", "Black"'), "different first letters .*'blue' and"),
        ("sleuth", ONE.replace("A", "3 greens"), "expected colours that begin with a letter"),
        ("sleuth", 'colours = ["A"]\ntypes = ["B"]', "at least one of the quantities"),
        ("sleuth", 'colors = ["A"]', "did you mean 'colours'"),
        ("sleuth", 'colours = "A"', "expected a list of titles for 'colours', got 'A'"),
        ("sleuth", 'free = "x"', "expected a number of free choice cards for 'free', got 'x'"),
        ("sleuth", f"{ONE}free = 5000", "expected 0 to 1000 free choice cards, got 5000"),
        ("sleuth", ONE.replace("A", "Free"), "in colours cannot be called 'free'"),
    ],
)
def test_broken_editions(name: str, text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "broken.toml"
    file.write_text(text)
    with pytest.raises(InputError, match=message):
        game(name).setup(players=3, edition=str(file))


@pytest.mark.parametrize(
    ("name", "mind", "message"),
    [
        ("cluedo", "first-order-guesser:often", "above 0, and at most 1, got 'often'"),
        ("cluedo", "higher-order-guesser:1.5", "above 0, and at most 1"),
        ("cluedo", "higher-order-guesser:0", "above 0, and at most 1"),
        ("cluedo", "higher-ordr:0.5", "unknown kind of Cluedo player 'higher-ordr'"),
        ("perudo", "bluffer:2", "expected a probability from 0 to 1"),
        ("perudo", "bluffer:-0.1", "expected a probability from 0 to 1"),
        ("perudo", "odds:0.3", "odds players cannot be tuned"),
        ("sleuth", "gain:x", "unknown measure of questions 'x'; expected one of gem, deal"),
        ("sleuth", "lead:gem", "lead players cannot be tuned"),
        ("sleuth", "gian", "did you mean 'gain'"),
    ],
)
def test_unknown_minds(name: str, mind: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Table(game(name), game(name).setup(players=3), (mind,))


# A deal with seed 0 with some cards moved elsewhere (None: omitted), and a part of the message.
@pytest.mark.parametrize(
    ("name", "options", "changes", "message"),
    [
        ("cluedo", {"size": "3/3/3"}, {"white": "ann"}, "expected ann to hold 2 cards"),
        ("cluedo", {"size": "3/3/3"}, {"white": "zoe"}, "unknown place 'zoe'"),
        ("cluedo", {"size": "3/3/3"}, {"white": "envelope"}, "one of the suspects in the en"),
        ("cluedo", {"size": "3/3/3"}, {"rope": "ann"}, "unknown card in the deal"),
        ("cluedo", {"size": "3/3/3"}, {"white": None}, "does not say where"),
        ("kwartet", {"groups": 3}, {"fat_cow": "ann"}, "ann to be dealt 4 cards, got 5"),
        ("kwartet", {"groups": 3}, {"fat_cow": "table"}, "unknown player 'table'"),
        ("kwartet", {"groups": 3}, {"rope": "ann"}, "unknown card in the deal"),
        ("kwartet", {"groups": 3}, {"fat_cow": None}, r"does not say where location\(fat"),
        ("sleuth", {"size": "2/2/2"}, {"rds": "bob"}, "expected ann to be dealt 2 gems, got 1"),
        ("sleuth", {"size": "2/2/2"}, {"rds": "hidden"}, "expected one hidden gem, got 2"),
        ("sleuth", {"size": "2/2/2"}, {"rds": "zoe"}, "unknown place of location"),
        ("sleuth", {"size": "2/2/2"}, {"xyz": "ann"}, "unknown gem in the deal"),
        ("sleuth", {"size": "2/2/2"}, {"rds": None}, "does not say where"),
    ],
)
def test_impossible_deals(
    name: str, options: dict[str, Any], changes: dict[str, str | None], message: str
) -> None:
    played = game(name)
    setup = played.setup(names=("ann", "bob", "cath"), **options)
    deal = dict(played.deal(setup, Random(0)))
    for card, place in changes.items():
        if place is None:
            del deal[location(card)]
        else:
            deal[location(card)] = place
    with pytest.raises(InputError, match=message):
        played.start(setup, deal)


@pytest.mark.parametrize(
    ("name", "options", "cards", "message"),
    [
        ("old_maid", {"rules": "study"}, "queen", "expected ann to be dealt 5 cards, got 1"),
        ("old_maid", {"rules": "study"}, "quen " * 5, "unknown rank 'quen'; did you mean 'queen'"),
        ("old_maid", {"rules": "study"}, "queen " * 4 + "ace", "at most 3 cards of rank"),
        ("sleuth", {"size": "2/2/2"}, "rds", "expected ann to be dealt 2 gems, got 1"),
        ("sleuth", {"size": "2/2/2"}, "rds rds", "'rds' is given twice"),
        ("sleuth", {"size": "2/2/2"}, "rds yos", "unknown gem 'yos'"),
        ("kwartet", {"rules": "study"}, "elf", "expected ann to be dealt 8 cards, got 1"),
        ("perudo", {"dice": 2}, "1", "expected ann to have 2 dice, got 1"),
        ("perudo", {"dice": 2}, "1 7", "unknown face of a die '7'"),
    ],
)
def test_impossible_hands(name: str, options: dict[str, Any], cards: str, message: str) -> None:
    played = game(name)
    with pytest.raises(InputError, match=message):
        played.hand(played.setup(players=3, **options), "ann", tuple(cards.split()))

"""Descriptions of our games for the contracts, written from the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, permutations, product
from random import Random
from typing import Any

from symkripke.language import Formula
from symkripke.model import KnowledgeStructure, World
from symkripke.play import CHANCE, Outcome
from symkripke.play.dealing import location
from symkripke.testing import Described, arrangements
from symkripke_games import cluedo, hanabi, kwartet, old_maid, perudo, sleuth
from symkripke_games.cluedo import rules as cluedo_rules
from symkripke_games.cluedo.editions import ENVELOPE
from symkripke_games.hanabi import rules as hanabi_rules
from symkripke_games.kwartet import rules as kwartet_rules
from symkripke_games.kwartet.decks import TABLE
from symkripke_games.old_maid import rules as old_maid_rules
from symkripke_games.perudo import rules as perudo_rules
from symkripke_games.perudo import throws
from symkripke_games.sleuth import rules as sleuth_rules
from symkripke_games.sleuth.deck import shuffled
from symkripke_games.sleuth.gems import FREE, HIDDEN
from symkripke_games.sleuth.gems import TABLE as FACE_UP
from symkripke_games.sleuth.setup import ROW


def seldom(kind: type, moves: Sequence[Any], chance: Random) -> list[Any]:
    """Return the moves, nine times out of ten without those of a kind, if there are others."""
    others = [move for move in moves if not isinstance(move, kind)]
    return others if others and chance.random() < 0.9 else list(moves)


def by_place(hands: Mapping[str, Sequence[str]], name: Any) -> dict[str, str]:
    """Return the place of each card, by its fluent."""
    return {name(card): place for place, cards in hands.items() for card in cards}


def cards_at(deal: World, place: str) -> tuple[str, ...]:
    """Return the cards that a deal with `location(card)` fluents has in a place."""
    return tuple(name[len("location(") : -1] for name, there in deal.items() if there == place)


class Cluedo(Described):
    """Cluedo: asking, showing, accusing; with `silence_speaks`, also not accusing."""

    game = cluedo.GAME
    setups = {
        "classic, 3 players": {"players": 3, "size": "2/2/3"},
        "study, 2 players": {"rules": "study", "players": 2, "size": "2/2/3"},
        "silence speaks": {"players": 3, "size": "2/2/3", "silence_speaks": True},
    }
    games = 4
    events = 9

    def deals(self, setup: Any) -> Iterator[World]:
        """One card of each kind is hidden; the others are dealt in turn, or by kind (study)."""
        for inside in product(*setup.edition.categories):
            left = [[c.id for c in cards if c not in inside] for cards in setup.edition.categories]
            if setup.rules == "study":
                # Suspects, rooms, weapons: each kind continues where the previous one ended.
                ways = self._kind_by_kind(setup, left)
            else:
                cards = [card for kind in left for card in kind]
                ways = arrangements(cards, dict(zip(setup.players, setup.hands, strict=True)))
            for hands in ways:
                hidden = {ENVELOPE: [card.id for card in inside]}
                yield by_place({**hands, **hidden}, location)

    def _kind_by_kind(self, setup: Any, left: list[list[str]]) -> Iterator[dict[str, Any]]:
        sizes = [
            {player: hand[kind] for player, hand in zip(setup.players, setup.hands, strict=True)}
            for kind in range(3)
        ]
        for parts in product(*map(arrangements, left, sizes)):
            yield {player: sum((part[player] for part in parts), ()) for player in setup.players}

    def moves(self, setup: Any, state: Any) -> Iterator[Any]:
        """All questions, accusations and cards, and two invalid moves."""
        kinds = [[card.id for card in category] for category in setup.edition.categories]
        for cards in product(*kinds):
            yield cluedo_rules.Suggest(cards)
            yield cluedo_rules.Accuse(cards)
        yield from (cluedo_rules.Show(card) for kind in kinds for card in kind)
        yield cluedo_rules.Done()
        yield cluedo_rules.Suggest((kinds[1][0], kinds[0][0], kinds[2][0]))
        yield cluedo_rules.Show("banana")

    def moves_towards(self, setup: Any, state: Any, public: Any) -> Iterator[Any]:
        """The question names the cards of the event, and one of them is shown."""
        yield cluedo_rules.Done()
        if isinstance(public, cluedo_rules.Suggestion):
            yield cluedo_rules.Suggest(public.cards)
            yield from map(cluedo_rules.Show, public.cards)
        if isinstance(public, cluedo_rules.Accusation):
            yield cluedo_rules.Accuse(public.cards)

    def picked(self, moves: Sequence[Any], chance: Random) -> Any:
        """Claims end games, so they are rarely made."""
        return super().picked(seldom(cluedo_rules.Accuse, moves, chance), chance)

    def is_legal(self, setup: Any, state: Any, move: Any) -> bool:
        """Ask or accuse; show a card that is asked for and held; accuse or finish."""
        match state.phase, move:
            case "act", cluedo_rules.Suggest(cards) | cluedo_rules.Accuse(cards):
                kinds = zip(cards, setup.edition.categories, strict=True)
                return all(card in [one.id for one in kind] for card, kind in kinds)
            case "accuse", cluedo_rules.Accuse() | cluedo_rules.Done():
                return True
            case "show", cluedo_rules.Show(card):
                holder = state.deal.get(location(card))
                return card in state.cards and bool(holder == state.decision.player)
        return False

    def sees_of_deal(self, setup: Any, deal: World, player: str) -> tuple[str, ...]:
        """The player's own cards."""
        return cards_at(deal, player)

    def sees_of_event(
        self, setup: Any, state: Any, outcome: Outcome[Any], player: str
    ) -> Mapping[str, str]:
        """The card that was shown; a wrong accuser has also looked into the envelope."""
        public = outcome.public
        if isinstance(public, cluedo_rules.Suggestion):
            return outcome.secret if player in (public.player, public.shower) else {}
        wrong = isinstance(public, cluedo_rules.Accusation) and not public.right
        if wrong and player == public.player and setup.rules == "classic":
            return {name: place for name, place in state.deal.items() if place == ENVELOPE}
        return {}


class Sleuth(Described):
    """Sleuth: announced numbers, shown gems, wrong declarations."""

    game = sleuth.GAME
    setups = {
        "classic, 3 players": {"players": 3, "size": "2/2/2"},
        "study, 2 players": {"rules": "study", "players": 2, "size": "2/2/2"},
    }
    games = 2
    events = 6

    def deals(self, setup: Any) -> Iterator[World]:
        """One gem is hidden, hands are of one size, and the rest lies face up."""
        gems = [gem.id for gem in setup.edition.gems]
        sizes = dict.fromkeys(setup.players, (len(gems) - 1) // len(setup.players))
        over = len(gems) - 1 - sum(sizes.values())
        for hands in arrangements(gems, {HIDDEN: 1, FACE_UP: over, **sizes}):
            yield by_place(hands, location)

    def moves(self, setup: Any, state: Any) -> Iterator[Any]:
        """Some ways to lay the cards, and all questions, draws and declarations."""
        gems = [gem.id for gem in setup.edition.gems]
        if state.phase == "open":
            yield from (sleuth_rules.Lay(shuffled(setup, Random(seed))) for seed in range(3))
            yield sleuth_rules.Lay(dict.fromkeys(setup.players, ("red",)))
        row = state.deck.rows[state.mover] if state.deck else ()
        for asked in setup.players:
            for elements in setup.edition.questions:
                yield sleuth_rules.AskLast(asked, elements)
                for card in {*row, "red"}:
                    yield sleuth_rules.Ask(asked, elements, card)
        yield from map(sleuth_rules.Draw, sorted(set(setup.edition.cards)))
        yield from map(sleuth_rules.Declare, [*gems, "banana"])
        yield sleuth_rules.Silent()

    def moves_towards(self, setup: Any, state: Any, public: Any) -> Iterator[Any]:
        """The question with its card, or the declaration."""
        yield sleuth_rules.Silent()
        if isinstance(public, sleuth_rules.Opening):
            yield sleuth_rules.Lay(public.rows)
        elif isinstance(public, sleuth_rules.Declaration):
            yield sleuth_rules.Declare(public.gem)
        elif public.last:
            yield sleuth_rules.AskLast(public.asked, public.elements)
        else:
            yield sleuth_rules.Ask(public.asked, public.elements, public.card)
            yield sleuth_rules.Draw(public.drawn)

    def picked(self, moves: Sequence[Any], chance: Random) -> Any:
        """Claims end games, so they are rarely made."""
        return super().picked(seldom(sleuth_rules.Declare, moves, chance), chance)

    def is_legal(self, setup: Any, state: Any, move: Any) -> bool:
        """A question needs its card; the study's rules do not allow wrong declarations."""
        study = setup.rules == "study"
        match state.phase, move:
            case "open", sleuth_rules.Lay(rows):
                return all(len(row) == ROW for row in rows.values())
            case "ask", sleuth_rules.Ask(asked, elements, card):
                fits = card in (FREE, " ".join(elements))
                return asked != state.mover and fits and card in state.deck.rows[state.mover]
            case "ask", sleuth_rules.AskLast(asked, _):
                return asked != state.mover and not study
            case "draw", sleuth_rules.Draw(card):
                return card in state.deck.next
            case (("ask" | "last" | "declare"), sleuth_rules.Declare(gem)):
                where = state.deal.get(location(gem))
                return where is not None and (where == HIDDEN or not study)
            case "declare", sleuth_rules.Silent():
                return True
        return False

    def sees_of_deal(self, setup: Any, deal: World, player: str) -> tuple[str, ...]:
        """The player's own gems."""
        return cards_at(deal, player)

    def sees_of_event(
        self, setup: Any, state: Any, outcome: Outcome[Any], player: str
    ) -> Mapping[str, str]:
        """The gems shown to the player; the hidden gem after a wrong declaration (classic)."""
        public = outcome.public
        if isinstance(public, sleuth_rules.Opening) or player != public.player:
            return {}
        if isinstance(public, sleuth_rules.Question):
            return outcome.secret
        if setup.rules == "classic" and not public.right:
            return {name: place for name, place in state.deal.items() if place == HIDDEN}
        return {}


class Hanabi(Described):
    """Hanabi: hints, and cards that are played or discarded; also with conventions."""

    game = hanabi.GAME
    setups = {
        "two colours": {"players": 2, "colours": 2, "ranks": 2, "hand": 2},
        "three players": {"players": 3, "colours": 2, "ranks": 2, "hand": 1, "hints": 2},
        "multicolour": {
            **{"rules": "multicolour", "players": 2, "colours": 1, "ranks": 2, "hand": 2},
            **{"lives": 1, "all_or_nothing": True},
        },
        "newest playable": {
            **{"players": 2, "colours": 2, "ranks": 2, "hand": 2, "hints": 2},
            "convention": "newest-playable",
        },
        "all playable": {
            **{"players": 2, "colours": 2, "ranks": 2, "hand": 2, "hints": 2},
            "convention": "all-playable",
        },
    }
    events = 10

    def _deck(self, setup: Any) -> list[str]:
        """Three cards of rank 1 and one of rank 2, of each colour."""
        colours = ("red", "multi") if setup.rules == "multicolour" else ("red", "yellow")
        return [f"{colour}_{rank}" for colour in colours for rank in (1, 1, 1, 2)]

    def _places(self, setup: Any) -> Sequence[int]:
        return range(1, setup.size + 1)

    def deals(self, setup: Any) -> Iterator[World]:
        """All hands that can be dealt from the deck."""
        places = [(player, place) for player in setup.players for place in self._places(setup)]
        public = {f"use({suit}_1)": "playable" for suit in setup.suits}
        public |= {f"use({suit}_2)": "later" for suit in setup.suits}
        for cards in dict.fromkeys(permutations(self._deck(setup), len(places))):
            names = [f"card({player}, {place})" for player, place in places]
            yield {**dict(zip(names, cards, strict=True)), **public}

    def moves(self, setup: Any, state: Any) -> Iterator[Any]:
        """All hints, all places, and all cards that chance can draw."""
        for told in setup.players:
            for feature in ("red", "yellow", "multi", "1", "2", "3"):
                yield hanabi_rules.Tell(told, feature)
        for place in (1, 2, 3):
            yield hanabi_rules.Play(place)
            yield hanabi_rules.Discard(place)
        yield from dict.fromkeys(self._deck(setup))

    def moves_towards(self, setup: Any, state: Any, public: Any) -> Iterator[Any]:
        """The hint, or the card with all cards that can be drawn."""
        if isinstance(public, hanabi_rules.Hint):
            yield hanabi_rules.Tell(public.told, public.feature)
            return
        yield hanabi_rules.Play(public.place)
        yield hanabi_rules.Discard(public.place)
        yield from dict.fromkeys(self._deck(setup))

    def is_legal(self, setup: Any, state: Any, move: Any) -> bool:
        """A hint is left and touches a card; discards return a hint; the deck has the card."""
        hands: dict[str, dict[int, str]] = {player: {} for player in setup.players}
        for (player, place), kind in state.cards.items():
            hands[player][place] = kind
        match move:
            case str(kind):
                seen = [*state.cards.values(), *state.gone]
                for suit, height in state.heights.items():
                    seen += [f"{suit}_{rank}" for rank in range(1, height + 1)]
                left = self._deck(setup).count(kind) - seen.count(kind)
                return state.pending is not None and left > 0
            case hanabi_rules.Play(place):
                return state.pending is None and place in hands[state.mover]
            case hanabi_rules.Discard(place):
                mine = place in hands[state.mover]
                return state.pending is None and mine and state.hints < setup.hints
        if state.pending is not None or move.told == state.mover or not state.hints:
            return False
        colours = {kind.partition("_")[0] for kind in self._deck(setup)} - {"multi"}
        if move.feature not in (*colours, "1", "2"):
            return False
        touched = {
            place: kind
            for place, kind in hands[move.told].items()
            if move.feature in kind or ("multi" in kind and not move.feature.isdigit())
        }
        return bool(touched) and self._keeps_convention(setup, state, move, touched)

    def _keeps_convention(
        self, setup: Any, state: Any, move: Any, touched: Mapping[int, str]
    ) -> bool:
        order = [place for player, place in state.drawn if player == move.told]
        ages = {place: len(order) - order[::-1].index(place) for place in self._places(setup)}
        oldest, newest = (by(touched, key=ages.__getitem__) for by in (min, max))
        in_hand = [place for player, place in state.cards if player == move.told]
        is_first = oldest == min(in_hand, key=ages.__getitem__)
        before = setup.players[setup.players.index(state.mover) - 1] == move.told
        if state.hints == setup.hints and before and is_first and move.feature.isdigit():
            return True
        promised = {"newest-playable": [newest], "all-playable": [*touched]}
        fitting = [f"{suit}_{height + 1}" for suit, height in state.heights.items()]
        return all(touched[place] in fitting for place in promised.get(setup.convention, ()))

    def sees_of_deal(self, setup: Any, deal: World, player: str) -> tuple[str, ...]:
        """The hands of the others, from the next player."""
        number = setup.players.index(player)
        others = (*setup.players[number + 1 :], *setup.players[:number])
        return tuple(
            deal[f"card({other}, {place})"] for other in others for place in self._places(setup)
        )

    def sees_of_event(
        self, setup: Any, state: Any, outcome: Outcome[Any], player: str
    ) -> Mapping[str, str]:
        """The card that another player draws."""
        return outcome.secret if player != outcome.public.player else {}

    def facts(self, setup: Any, state: Any) -> Mapping[str, str]:
        """The cards in the hands, and the fireworks."""
        cards = {
            f"card({player}, {place})": state.cards.get((player, place), "none")
            for player in setup.players
            for place in self._places(setup)
        }
        uses = {}
        for suit, height in state.heights.items():
            lost = [state.gone.count(f"{suit}_{rank}") == (3, 1)[rank - 1] for rank in (1, 2)]
            for rank in (1, 2):
                useless = rank <= height or any(lost[height:rank])
                now = "playable" if rank == height + 1 else "later"
                uses[f"use({suit}_{rank})"] = "useless" if useless else now
        return {**cards, **uses}


class Kwartet(Described):
    """Kwartet: public questions and answers, and moving cards."""

    game = kwartet.GAME
    setups = {
        "classic, 2 groups": {"players": 3, "groups": 2},
        "study, 2 groups": {"rules": "study", "groups": 2, "forgets": 0.3},
        "bluff, 4 players": {"players": 4, "groups": 1, "allow_bluff": True},
    }
    events = 10

    def deals(self, setup: Any) -> Iterator[World]:
        """All cards are dealt in turn."""
        cards = [card.id for group in setup.groups for card in group.cards]
        sizes = {
            player: len(range(seat, len(cards), len(setup.players)))
            for seat, player in enumerate(setup.players)
        }
        for hands in arrangements(cards, sizes):
            yield by_place(hands, location)

    def moves(self, setup: Any, state: Any) -> Iterator[Any]:
        """Anybody may be asked for any card."""
        yield kwartet_rules.LayDown()
        for player in (*setup.players, "nobody"):
            yield kwartet_rules.PassTo(player)
            for card in (*setup.group_of, "banana"):
                yield kwartet_rules.Ask(player, card)

    def moves_towards(self, setup: Any, state: Any, public: Any) -> Iterator[Any]:
        """The question of the event, by the player who asks it."""
        if isinstance(public, kwartet_rules.Opening):
            yield kwartet_rules.LayDown()
        elif state.phase == "pass":
            yield kwartet_rules.PassTo(public.player)
        else:
            yield kwartet_rules.Ask(public.asked, public.card)

    def is_legal(self, setup: Any, state: Any, move: Any) -> bool:
        """Without bluffing, the asker has a card of the group, and does not have this one."""
        places = self._places(setup, state)
        match state.phase, move:
            case "open", kwartet_rules.LayDown():
                return True
            case "pass", kwartet_rules.PassTo(player):
                return player in places.values()
            case "ask", kwartet_rules.Ask(asked, card):
                if card not in places or asked not in setup.players or asked == state.mover:
                    return False
                group = setup.cards_of[setup.group_of[card]]
                own = places[card] == state.mover
                return (
                    asked in places.values()
                    and places[card] != TABLE
                    and any(places[other] == state.mover for other in group)
                    and (setup.allow_bluff or not own)
                )
        return False

    def _places(self, setup: Any, state: Any) -> dict[str, str]:
        return {card: state.place(card) for card in setup.group_of}

    def sees_of_deal(self, setup: Any, deal: World, player: str) -> tuple[str, ...]:
        """The player's own cards."""
        return cards_at(deal, player)

    def facts(self, setup: Any, state: Any) -> Mapping[str, str]:
        """The place of each card."""
        places = self._places(setup, state)
        return {location(card): place for card, place in places.items()}


class OldMaid(Described):
    """Old Maid: cards are drawn unseen, and pairs are discarded."""

    game = old_maid.GAME
    setups = {
        "classic, 2 players": {"players": 2, "ranks": 5},
        "study, 3 players": {"rules": "study"},
        "study, 4 players": {"rules": "study", "players": 4, "ranks": 3},
    }
    events = 12

    def deals(self, setup: Any) -> Iterator[World]:
        """All cards are dealt in turn; cards of a rank are interchangeable."""
        seats, cards = len(setup.players), sum(setup.deck.values())
        sizes = tuple(len(range(seat, cards, seats)) for seat in range(seats))
        shares = [
            [share for share in product(range(number + 1), repeat=seats) if sum(share) == number]
            for number in setup.deck.values()
        ]
        for ranks in product(*shares):
            if tuple(map(sum, zip(*ranks, strict=True))) != sizes:
                continue
            deal: dict[str, str] = {}
            for rank, share in zip(setup.deck, ranks, strict=True):
                for player, number in zip(setup.players, share, strict=True):
                    single = "true" if number % 2 else "false"
                    deal[old_maid_rules.holds_name(player, rank)] = single
                    deal[old_maid_rules.pairs_name(player, rank)] = str(number // 2)
            yield deal

    def moves(self, setup: Any, state: Any) -> Iterator[Any]:
        """Anybody begins or is drawn from, and any card is drawn."""
        for player in (*setup.players, "nobody"):
            yield old_maid_rules.Start(player)
            yield old_maid_rules.DrawFrom(player)
        yield from map(old_maid_rules.Give, (*setup.deck, "banana"))

    def is_legal(self, setup: Any, state: Any, move: Any) -> bool:
        """Only players with cards begin or are drawn from, in order unless they may choose."""
        able = [player for player in setup.players if state.hands[player]]
        if isinstance(move, old_maid_rules.Start):
            first = able if setup.rules == "study" else able[:1]
            return state.turn == 0 and move.player in first
        if isinstance(move, old_maid_rules.DrawFrom):
            seat = setup.players.index(state.mover)
            order = (*setup.players[seat + 1 :], *setup.players[:seat])
            others = [player for player in order if player in able]
            givers = others if setup.choose else others[:1]
            return bool(state.turn) and state.giver is None and move.giver in givers
        return state.giver is not None and move.rank in state.hands[state.giver]

    def sees_of_deal(self, setup: Any, deal: World, player: str) -> tuple[str, ...]:
        """The player's own cards, including pairs."""
        return tuple(
            rank
            for rank in setup.deck
            for _ in range(
                2 * int(deal[old_maid_rules.pairs_name(player, rank)])
                + (deal[old_maid_rules.holds_name(player, rank)] == "true")
            )
        )

    def sees_of_event(
        self, setup: Any, state: Any, outcome: Outcome[Any], player: str
    ) -> Mapping[str, str]:
        """The card that the player drew or gave."""
        public = outcome.public
        drew = isinstance(public, old_maid_rules.Draw) and player in (public.player, public.giver)
        return outcome.secret if drew else {}

    def facts(self, setup: Any, state: Any) -> Mapping[str, str]:
        """The ranks that each player holds."""
        return {
            old_maid_rules.holds_name(player, rank): "true" if rank in hand else "false"
            for player, hand in state.hands.items()
            for rank in setup.deck
        }


class Perudo(Described):
    """Perudo: bids and calls, and new throws of the dice."""

    counts = False
    game = perudo.GAME
    setups = {
        "classic, 2 players": {"players": 2, "dice": 2, "faces": 3},
        "study, 3 players": {"rules": "study", "players": 3, "dice": 1, "faces": 4},
        "calza": {"players": 2, "dice": 2, "faces": 3, "calza": True},
    }

    def deals(self, setup: Any) -> Iterator[World]:
        """All throws, with the dice of each player in order."""
        for throw in self._throws(setup, dict.fromkeys(setup.players, setup.dice)):
            yield throws.deal_of(throw)

    def _throws(self, setup: Any, sizes: Mapping[str, int]) -> Iterator[dict[str, tuple[int, ...]]]:
        faces = range(1, setup.faces + 1)
        ways = [combinations_with_replacement(faces, size) for size in sizes.values()]
        for dice in product(*ways):
            yield dict(zip(sizes, dice, strict=True))

    def by_rules(self, setup: Any, world: World) -> World:
        """The rules do not order a player's dice; the encoding does, to keep the odds even."""
        dice: dict[str, list[int]] = {}
        for name, face in world.items():
            dice.setdefault(throws.owner(name), []).append(int(face))
        return throws.deal_of({player: tuple(sorted(mine)) for player, mine in dice.items()})

    def asked_about(self, setup: Any, structure: KnowledgeStructure) -> Sequence[Formula]:
        """For each player and face, the number of dice that show the face."""
        return tuple(self.game.layout(setup, structure).cells.values())

    def moves(self, setup: Any, state: Any) -> Iterator[Any]:
        """All bids and calls; all throws if chance decides."""
        if state.decision.player == CHANCE:
            yield from map(perudo_rules.Roll, self._throws(setup, state.now.dice))
            return
        for face in range(setup.faces + 2):
            for quantity in range(sum(state.now.dice.values()) + 2):
                yield perudo_rules.Raise(quantity, face)
        yield from map(perudo_rules.Doubt, ("dudo", "calza", "banana"))

    def is_legal(self, setup: Any, state: Any, move: Any) -> bool:
        """A bid raises the number, or the face at the same number; wild aces need half of it."""
        if isinstance(move, perudo_rules.Roll):
            return bool(state.decision.player == CHANCE)
        if isinstance(move, perudo_rules.Raise):
            least = self._least(state, move.face)
            if least is None or not 1 <= move.face <= setup.faces:
                return False
            return least <= move.quantity <= int(sum(state.now.dice.values()))
        called = move.kind == "dudo" or (setup.calza and move.kind == "calza")
        return state.standing is not None and called

    def _least(self, state: Any, face: int) -> int | None:
        """Return the minimum number of dice for a bid on a face; None if it is not allowed."""
        now, standing, ace = state.now, state.standing, 1
        if standing is None:
            return None if now.wild and face == ace else 1
        if now.fixed and now.dice[state.mover] > 1 and face != standing.face:
            return None
        number: int = standing.quantity
        if now.wild and ace in (face, standing.face) and face != standing.face:
            return (number + 1) // 2 if face == ace else 2 * number + 1
        return number if face > standing.face else number + 1

    def sees_of_deal(self, setup: Any, deal: World, player: str) -> tuple[str, ...]:
        """The player's own dice."""
        return tuple(face for name, face in deal.items() if throws.owner(name) == player)

    def sees_of_event(
        self, setup: Any, state: Any, outcome: Outcome[Any], player: str
    ) -> Mapping[str, str]:
        """The player's own throw."""
        name = throws.dice_name(player)
        return {name: outcome.secret[name]} if name in outcome.secret else {}


ALL: Iterable[type[Described]] = (Cluedo, Sleuth, Kwartet, OldMaid, Perudo)

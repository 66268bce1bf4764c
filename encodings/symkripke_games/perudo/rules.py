"""The rules of the game: setup, throws, bids and calls, without logic or knowledge.

All players throw their dice, unseen by the others. In turn, each player raises the bid or calls the
last bid with dudo ("I doubt it"). All dice are then shown. If the bid is not met, the bidder loses
a die; otherwise, the caller loses one. The loser begins the next round, or the next player with
dice if the loser is out. The last player with dice wins.

Classic rules: aces (ones) are wild. A round that begins with a player who has just come down to one
die is palifico, once for each player: aces are not wild, and only players with one die may change
the face. Study rules: aces are not wild, and there are no palifico rounds. The option calza allows
the player to move to call "exactly met". If this is right, the caller regains a die; otherwise, the
caller loses one. The caller begins the next round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import msgspec

from symkripke.errors import RuleError, check_name
from symkripke.model import World
from symkripke.play import CHANCE, Decision, Outcome, Public
from symkripke.play.checks import check_event, check_move, check_mover, check_turn, known_deal
from symkripke_games.perudo.bidding import Manner, Offer, Said, kept, meaning
from symkripke_games.perudo.throws import Setup, Throw, dice_name, read_dice, throw_of
from symkripke_games.perudo.words import faces_in_words

DUDO, CALZA = "dudo", "calza"

# ---- events --------------------------------------------------------------------------------


class Claim(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The conclusion of others from a bid about the bidder's own dice; see `bidding.meaning`.

    Attributes:
        holds: the least number of dice of the face that the bidder holds; 0 if nothing follows.
        trust: the trust in the bidder, in percent: the share of claims in earlier rounds that came
            true (counting one true and one false claim in advance).
    """

    holds: int
    trust: int


class Bid(Public, frozen=True, kw_only=True, tag="bid"):
    """A bid.

    Attributes:
        player: the player who bids.
        quantity: the least number of dice that, according to the bid, show the face.
        face: the face.
        claim: the others' conclusion from the bid; None if left out (earlier events determine it).
    """

    player: str
    quantity: int
    face: int
    claim: Claim | None = None

    @property
    def offer(self) -> Offer:
        """The bid without its bidder."""
        return Offer(self.quantity, self.face)


class Verdict(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The result of a call.

    Attributes:
        bidder: the player whose bid was called.
        quantity: the quantity of the bid.
        face: the face of the bid.
        count: the number of dice that counted as the face.
        right: whether the caller was right.
        loser: the player who loses a die; None if nobody does.
        gainer: the player who regains a die; None if nobody does.
    """

    bidder: str
    quantity: int
    face: int
    count: int
    right: bool
    loser: str | None = None
    gainer: str | None = None


class Call(Public, frozen=True, kw_only=True, tag="call"):
    """A call, and the dice that all players then show.

    Attributes:
        player: the player who calls.
        kind: "dudo" or "calza".
        dice: the dice that each player shows.
        verdict: the result of the call; None if left out (earlier events determine it).
    """

    player: str
    dice: dict[str, tuple[int, ...]]
    kind: str = DUDO
    verdict: Verdict | None = None


class Round(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The public facts of a round before its first bid.

    Attributes:
        dice: the number of dice of each player who is not out.
        first: the player who begins.
        wild: whether aces are wild.
        fixed: whether it is a palifico round.
    """

    dice: dict[str, int]
    first: str
    wild: bool
    fixed: bool = False


class Rolled(Public, frozen=True, kw_only=True, tag="throw"):
    """The throw of all dice that begins a new round. The dice are secret.

    Attributes:
        round: the public facts of the round; None if they are not recorded (they follow).
    """

    round: Round | None = None


Happening = Bid | Call | Rolled


# ---- moves ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Raise:
    """The move that bids that at least `quantity` dice show `face`."""

    quantity: int
    face: int


@dataclass(frozen=True, slots=True)
class Doubt:
    """The move that calls the standing bid; `kind` is "dudo" or "calza"."""

    kind: str = DUDO


@dataclass(frozen=True, slots=True)
class Roll:
    """The random move that throws the dice of all players."""

    dice: Throw


# ---- the game --------------------------------------------------------------------------------


@dataclass(frozen=True)
class State:
    """A position; see `symkripke.play.GameState`.

    Attributes:
        setup: the setup.
        throw: the dice under the cups; None for an onlooker.
        now: the public facts of the round.
        mover: the player to move.
        turn: the number of the turn; each bid, call and throw is a turn.
        standing: the last bid of the round.
        said: the claims of the bids of the round.
        down: the players who have had their palifico rounds.
        open: whether the dice have been shown, and must be thrown again.
        credit: for each player, the number of their claims that came true, and of all their claims.
    """

    setup: Setup
    throw: Throw | None
    now: Round
    mover: str
    turn: int = 1
    standing: Bid | None = None
    said: tuple[Said, ...] = ()
    down: frozenset[str] = frozenset()
    open: bool = False
    credit: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    @classmethod
    def first(cls, setup: Setup, deal: World | None) -> State:
        """Return the state after the first throw, before the first bid."""
        return cls(
            setup, None if deal is None else throw_of(setup, deal), first_round(setup), setup.first
        )

    # ---- decisions ---------------------------------------------------------------------

    @property
    def manner(self) -> Manner:
        """The rules of bids in the current round."""
        return Manner(self.setup.faces, self.now.wild, self.now.fixed)

    @property
    def decision(self) -> Decision | None:
        """The current decision: for each face the least bid, then the calls.

        Higher bids are legal, too, up to the number of dice in play.
        """
        if self.result is not None:
            return None
        if self.open:
            return Decision(CHANCE, "throw")
        standing = None if self.standing is None else self.standing.offer
        options = moves(self.setup, self.now, standing, self.mover)
        return Decision(self.mover, "bid", options, self.standing)

    @property
    def result(self) -> str | None:
        """The result of the game in words; None while it continues."""
        return f"{self.winners[0]} wins" if self.winners else None

    @property
    def winners(self) -> tuple[str, ...]:
        """The last player with dice; empty before the end."""
        return tuple(self.now.dice) if len(self.now.dice) == 1 else ()

    @property
    def legality_key(self) -> tuple[Any, ...]:
        """The part of the state that determines the legal events from here on."""
        bid = self.standing
        standing = None if bid is None else (bid.player, bid.offer)
        return self.now, self.mover, self.turn, standing, self.down, self.open

    @property
    def out(self) -> frozenset[str]:
        """The players without dice."""
        return frozenset(self.setup.players).difference(self.now.dice)

    # ---- moves ---------------------------------------------------------------------------

    def play(self, move: Any) -> tuple[State, Outcome[Happening] | None]:
        """Return the state after a move, and the event."""
        check_move(self.result)
        public: Happening
        secret: dict[str, str] = {}
        match move:
            case Roll(dice) if self.open:
                public = Rolled(turn=self.turn)
                secret = {dice_name(p): " ".join(map(str, mine)) for p, mine in dice.items()}
            case Raise(quantity, face) if not self.open:
                public = Bid(turn=self.turn, player=self.mover, quantity=quantity, face=face)
            case Doubt(kind) if not self.open:
                dice = dict(known_deal(self.throw, "the dice"))
                public = Call(turn=self.turn, player=self.mover, kind=kind, dice=dice)
            case _:
                what = "the dice are to be thrown" if self.open else f"it is {self.mover}'s turn"
                raise RuleError(f"{type(move).__name__} is not a possible move now: {what}")
        outcome = self.with_derived_parts(Outcome(public, secret))
        return self._after(outcome), outcome

    # ---- events ----------------------------------------------------------------------------

    def follow(self, outcome: Outcome[Happening]) -> State:
        """Return the state after a recorded event.

        Raises:
            RuleError: the event contradicts the rules or the dice.
        """
        full = self.with_derived_parts(outcome)
        for given, expected in zip(
            msgspec.structs.astuple(outcome.public),
            msgspec.structs.astuple(full.public),
            strict=True,
        ):
            if given is not None and not isinstance(given, dict) and given != expected:
                raise RuleError(f"expected {_plain(expected)}, got {_plain(given)}")
        return self._after(full)

    def with_derived_parts(self, outcome: Outcome[Happening]) -> Outcome[Happening]:
        """Return the event with the parts that a record may omit.

        Raises:
            RuleError: the rules forbid the event in this state.
        """
        public = outcome.public
        check_event(self.result)
        check_turn(self.turn, public)
        if isinstance(public, Rolled):
            if not self.open:
                raise RuleError("the dice are thrown again only after a call")
            return Outcome(msgspec.structs.replace(public, round=self.now), outcome.secret)
        if self.open:
            raise RuleError("expected the dice to be thrown again after a call")
        if outcome.secret:
            raise RuleError("bids and calls have no secrets")
        check_mover(self.setup, self.turn, self.mover, public.player)
        if isinstance(public, Bid):
            self._check_bid(public)
            return Outcome(msgspec.structs.replace(public, claim=self._claim(public)), {})
        return Outcome(self._called(public), {})

    def _check_bid(self, bid: Bid) -> None:
        faces, total = self.setup.faces, sum(self.now.dice.values())
        if not 1 <= bid.face <= faces:
            raise RuleError(f"expected a face from 1 to {faces}, got {bid.face}")
        if not 1 <= bid.quantity <= total:
            raise RuleError(f"expected a bid of 1 to {total} dice, got {bid.quantity}")
        standing = None if self.standing is None else self.standing.offer
        least = self.manner.least(standing, bid.face, free=self.now.dice[bid.player] == 1)
        if least is None and standing is None:
            raise RuleError("no round is opened with a bid on aces")
        if least is None:
            assert standing is not None
            raise RuleError(
                f"the face is fixed in a palifico round: expected a bid on {standing.face}, "
                f"got one on {bid.face}"
            )
        if bid.quantity < least:
            assert standing is not None
            raise RuleError(
                f"{faces_in_words(bid.quantity, bid.face)} is not a higher bid than "
                f"{faces_in_words(standing.quantity, standing.face)}: expected at least "
                f"{faces_in_words(least, bid.face)}"
            )

    def _claim(self, bid: Bid) -> Claim:
        said = kept(self.said, self.now.dice, self.manner)
        holds = meaning(bid.offer, bid.player, said, self.now.dice, self.manner)
        true, made = self.credit.get(bid.player, (0, 0))
        return Claim(holds, 100 * (true + 1) // (made + 2))

    def _called(self, call: Call) -> Call:
        check_name("call", call.kind, (DUDO, CALZA))
        if call.kind == CALZA and not self.setup.calza:
            raise RuleError("calza cannot be called: this game was set up without it")
        standing = self.standing
        if standing is None:
            raise RuleError("there is no bid to call yet")
        for player in call.dice:
            check_name("player", player, self.setup.players)
        shown = {
            player: read_dice(self.setup, player, call.dice.get(player, ()), number)
            for player, number in self.now.dice.items()
        }
        for player in call.dice:
            if player not in shown:
                raise RuleError(f"expected {player} to show no dice: they are out")
        if self.throw is not None:
            for player, dice in shown.items():
                if dice != self.throw[player]:
                    claimed, real = _listed(dice), _listed(self.throw[player])
                    raise RuleError(f"{player} shows {claimed}, but threw {real}")
        count = sum(self.manner.counted(dice, standing.face) for dice in shown.values())
        bidder, caller, loser, gainer = standing.player, call.player, None, None
        if call.kind == CALZA:
            right = count == standing.quantity
            loser = None if right else caller
            gainer = caller if right and self.now.dice[caller] < self.setup.dice else None
        else:
            right = count < standing.quantity
            loser = bidder if right else caller
        verdict = Verdict(
            bidder=bidder,
            quantity=standing.quantity,
            face=standing.face,
            count=count,
            right=right,
            loser=loser,
            gainer=gainer,
        )
        return msgspec.structs.replace(call, dice=shown, verdict=verdict)

    def _after(self, outcome: Outcome[Happening]) -> State:
        """Return the state after an event with all its derived parts."""
        public = outcome.public
        if isinstance(public, Rolled):
            throw = self._read(outcome.secret)
            return replace(self, throw=throw, open=False, turn=self.turn + 1)
        if isinstance(public, Bid):
            said = self.said
            if public.claim is not None and public.claim.holds:
                claim = public.claim
                said = (*said, Said(public.player, public.face, claim.holds, claim.trust))
            mover = self.setup.following(public.player, self.out)
            return State(
                self.setup,
                self.throw,
                self.now,
                mover,
                self.turn + 1,
                public,
                said,
                self.down,
                self.open,
                self.credit,
            )
        return self._next_round(public)

    def _next_round(self, call: Call) -> State:
        verdict = call.verdict
        assert verdict is not None
        number = dict(self.now.dice)
        if verdict.gainer is not None:
            number[verdict.gainer] += 1
        down, palifico = self.down, False
        if verdict.loser is not None:
            number[verdict.loser] -= 1
            palifico = (
                self.setup.palifico and number[verdict.loser] == 1 and verdict.loser not in down
            )
            down = down | {verdict.loser} if palifico else down
        left = {player: dice for player, dice in number.items() if dice}
        first = verdict.loser or call.player
        if first not in left:
            first = next(player for player in self.setup.after(first) if player in left)
        credit = dict(self.credit)
        for claim in self.said:
            true, made = credit.get(claim.player, (0, 0))
            came_true = self.manner.counted(call.dice[claim.player], claim.face) >= claim.holds
            credit[claim.player] = true + came_true, made + 1
        now = Round(dice=left, first=first, wild=self.setup.aces and not palifico, fixed=palifico)
        return replace(
            self,
            throw=None,
            now=now,
            mover=first,
            turn=self.turn + 1,
            standing=None,
            said=(),
            down=down,
            open=True,
            credit=credit,
        )

    def _read(self, secret: Mapping[str, str]) -> Throw | None:
        """Return the throw if the secret has all dice, else None.

        Raises:
            RuleError: the dice are impossible.
        """
        throw = secret_dice(self.setup, self.now, secret)
        return throw if len(throw) == len(self.now.dice) else None


def moves(
    setup: Setup, now: Round, standing: Offer | None, player: str
) -> tuple[Raise | Doubt, ...]:
    """Return the least legal bid on each face after `standing`, and the calls."""
    manner = Manner(setup.faces, now.wild, now.fixed)
    total, free = sum(now.dice.values()), now.dice[player] == 1
    return least_moves(manner, standing, total, free, calza=setup.calza)


@lru_cache(maxsize=1 << 12)
def least_moves(
    manner: Manner, standing: Offer | None, total: int, free: bool, *, calza: bool
) -> tuple[Raise | Doubt, ...]:
    """Return the least legal bid on each face with `total` dice in play, and the calls.

    `free` states whether the player may change a fixed face.
    """
    moves: list[Raise | Doubt] = []
    for face in range(1, manner.faces + 1):
        least = manner.least(standing, face, free=free)
        if least is not None and least <= total:
            moves.append(Raise(least, face))
    if standing is not None:
        moves.extend(map(Doubt, (DUDO, CALZA) if calza else (DUDO,)))
    return tuple(moves)


def bare(outcome: Outcome[Happening]) -> Outcome[Happening]:
    """Return an event without the part that follows from the events before it."""
    public = outcome.public
    follows = {Bid: "claim", Call: "verdict", Rolled: "round"}[type(public)]
    return Outcome(msgspec.structs.replace(public, **{follows: None}), outcome.secret)


def first_round(setup: Setup) -> Round:
    """Return the public facts of the first round."""
    dice = dict.fromkeys(setup.players, setup.dice)
    return Round(dice=dice, first=setup.first, wild=setup.aces)


def secret_dice(setup: Setup, now: Round, secret: Mapping[str, str]) -> dict[str, tuple[int, ...]]:
    """Return the dice in the secret of a throw, which may omit players."""
    names = {dice_name(player): player for player in now.dice}
    for name in secret:
        check_name("secret of a throw", name, names)
    return {
        player: read_dice(setup, player, secret[name].split(), now.dice[player])
        for name, player in names.items()
        if name in secret
    }


def _listed(dice: Sequence[int]) -> str:
    return " ".join(map(str, dice))


def _plain(value: Any) -> Any:
    return msgspec.to_builtins(value)

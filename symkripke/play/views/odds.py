"""Probabilities for a player: of places, answers, and successful moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from symkripke.explain.data import exactly
from symkripke.play.game_words import answer_in_words
from symkripke.play.moment import Moment
from symkripke.play.odds import Odds, odds
from symkripke.play.player import Prospect, View


@dataclass(frozen=True)
class Probable:
    """The probabilities for a player at a moment.

    Attributes:
        moment: the moment.
        odds: the probabilities.
        moves: the moves that the player could make, if the game defines their success.
        now: whether it is the player's turn.
        top: the maximum number of answers that are shown.
    """

    moment: Moment[Any, Any]
    odds: Odds
    moves: Sequence[Prospect]
    now: bool
    top: int

    @classmethod
    def of(cls, moment: Moment[Any, Any], view: View[Any, Any], top: int) -> Probable:
        """Return the probabilities for a viewer, by the weighting of the moment's engine."""
        shares, advisor = odds(moment, view.player), moment.game.advisor
        moves = () if advisor is None else advisor.prospects(view, moment.engine)
        return cls(moment, shares, moves, view.decision is not None, top)

    def data(self) -> dict[str, Any]:
        """Return the probabilities as plain data for JSON."""
        shares, moment = self.odds, self.moment
        data: dict[str, Any] = {
            "player": shares.player,
            "turn": moment.turn,
            "weighting": moment.weighting,
            "deals": shares.deals,
            "cells": moment.layout.filled(lambda *place: exactly(shares.cells[place])),
        }
        if shares.entropy is not None:
            data["question"] = moment.game.question
            data["number"] = len(shares.answers)
            data["entropy"] = shares.entropy
            data["answers"] = [
                {
                    "title": answer_in_words(moment, shares.player, true),
                    "atoms": [str(atom) for atom in true],
                    **exactly(share),
                }
                for true, share in shares.answers[: self.top]
            ]
        if self.moves:
            data["moves"] = [
                {
                    "title": move.title,
                    "data": dict(move.data),
                    "chances": {name: exactly(share) for name, share in move.chances.items()},
                }
                for move in self.moves
            ]
        return data

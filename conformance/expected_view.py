"""What a player must know by now: kept from the answers he hears, to hold our views against."""

from __future__ import annotations

from typing import Any

import chess

from answer import Answer, read_end, read_pawn_tries
from chess_facts import castling_of, men_of


class Hearing:
    """One player's ears and memory."""

    def __init__(self, player: str, opening: Answer) -> None:
        self.player = player
        self._taken = {"pawns": 0, "pieces": 0, "unknown": 0}
        self._ply = 0
        self._turn_to(opening)

    def hear(self, said: Answer, mover: str) -> None:
        """An answer to a try, if this player is among those who hear it."""
        if self.player not in said.heard_by:
            return
        if said.verdict == "moved":
            self._ply += 1
            if said.capture and self.player == mover:
                # What is said to be en passant is said to be a pawn.
                victim = "pawn" if said.en_passant else said.victim
                kind = {"pawn": "pawns", "piece": "pieces", None: "unknown"}[victim]
                self._taken[kind] += 1
            self._turn_to(said)
        elif said.verdict in ("yes", "no"):
            self._any = said.verdict == "yes"
        else:
            self._refusals += 1

    def _turn_to(self, said: Answer) -> None:
        self._turn = said.turn
        self._pawn_tries = said.pawn_tries
        self._checks = said.checks
        self._any: bool | None = None
        self._refusals = 0
        self._end = said.end

    def expected(self) -> dict[str, Any]:
        """The view without his men and without what there is to try."""
        return {
            "player": self.player,
            "turn": self._turn,
            "ply": self._ply,
            "pawn_tries": self._pawn_tries,
            "checks": self._checks,
            "any": self._any,
            "refusals": self._refusals,
            "captured": self._taken,
            "end": self._end,
        }


def expected_men(board: chess.Board, player: str) -> dict[str, str]:
    """What the view shows of the player's own men."""
    color = player == "white"
    return {"pieces": men_of(board, color), "castling": castling_of(board, color)}


TO_TRY = ("tries", "may_ask", "owes_pawn_capture")


def read_view(view: dict[str, Any]) -> dict[str, Any]:
    """A view as our referee sends it, in the form of `Hearing.expected`."""
    plain = {key: value for key, value in view.items() if key not in TO_TRY}
    plain["pawn_tries"] = read_pawn_tries(view["pawn_tries"])
    plain["checks"] = tuple(sorted(view["checks"]))
    plain["end"] = read_end(view["end"])
    return plain

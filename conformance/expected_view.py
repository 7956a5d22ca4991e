"""What a player must know: derived from the responses that the player hears, to check our views."""

from __future__ import annotations

from typing import Any

import chess

from chess_rules import castling_of, pieces_of
from response import Response, read_end, read_pawn_tries


class ExpectedView:
    """The expected view of one player, updated with every response that this player hears."""

    def __init__(self, player: str, opening: Response) -> None:
        self.player = player
        self._captured = {"pawns": 0, "pieces": 0, "unknown": 0}
        self._ply = 0
        self._begin_turn(opening)

    def observe(self, response: Response, mover: str) -> None:
        """Updates the view after a try, if this player hears the response."""
        if self.player not in response.heard_by:
            return
        if response.verdict == "moved":
            self._ply += 1
            if response.capture and self.player == mover:
                # A capture announced as en passant captures a pawn.
                victim = "pawn" if response.en_passant else response.victim
                kind = {"pawn": "pawns", "piece": "pieces", None: "unknown"}[victim]
                self._captured[kind] += 1
            self._begin_turn(response)
        elif response.verdict in ("yes", "no"):
            self._any = response.verdict == "yes"
        else:
            self._refusals += 1

    def _begin_turn(self, response: Response) -> None:
        self._turn = response.turn
        self._pawn_tries = response.pawn_tries
        self._checks = response.checks
        self._any: bool | None = None
        self._refusals = 0
        self._end = response.end

    def fields(self) -> dict[str, Any]:
        """The fields of the view, except the player's own pieces and the tries."""
        return {
            "player": self.player,
            "turn": self._turn,
            "ply": self._ply,
            "pawn_tries": self._pawn_tries,
            "checks": self._checks,
            "any": self._any,
            "refusals": self._refusals,
            "captured": self._captured,
            "end": self._end,
        }


def expected_pieces(board: chess.Board, player: str) -> dict[str, str]:
    """The fields of a view that describe the player's own pieces."""
    color = player == "white"
    return {"pieces": pieces_of(board, color), "castling": castling_of(board, color)}


FIELDS_ABOUT_TRIES = ("tries", "may_ask", "owes_pawn_capture")


def read_view(view: dict[str, Any]) -> dict[str, Any]:
    """A view as our referee sends it, in the form of `ExpectedView.fields`."""
    plain = {key: value for key, value in view.items() if key not in FIELDS_ABOUT_TRIES}
    plain["pawn_tries"] = read_pawn_tries(view["pawn_tries"])
    plain["checks"] = tuple(sorted(view["checks"]))
    plain["end"] = read_end(view["end"])
    return plain

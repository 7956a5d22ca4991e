"""The reference `kriegspiel` of OpenSpiel: legality, captures, pawn tries, insufficient material.

Its rules are close to `icc`. Its player 1 is White, its player 0 is Black.
"""

from __future__ import annotations

import re

import chess
import pyspiel

from chess_rules import name_of
from response import BOTH, End, Response

ANNOUNCEMENT = re.compile(
    r"(?:(?P<victim>Pawn|Piece) at (?P<square>[a-h][1-8]) captured, )?"
    r"(?P<turn>white|black)'s move"
    r"(?:, (?P<tries>\d+) pawn (?:try|tries))?\."
)
PLAYERS = {"black": 0, "white": 1}


class OpenSpielReference:
    """One game under OpenSpiel, together with python-chess for the position."""

    name = "open_spiel"

    def __init__(self, ruleset: str, fen: str) -> None:
        # Its fifty-move rule counts plies. Our umpire plays these games without that rule and
        # without the rule of threefold repetition.
        settings = {"fen": fen, "50_move_rule": False, "threefold_repetition": False}
        self._state = pyspiel.load_game("kriegspiel", settings).new_initial_state()
        self.board = chess.Board(fen)
        self._actions = self._offered()

    def opening(self) -> Response:
        """It announces nothing when the game begins."""
        return Response("begun", BOTH, name_of(self.board.turn))

    def tries(self) -> set[str]:
        """The tries that it offers now."""
        return set(self._actions)

    def may_ask(self) -> bool:
        """It has no "any?"."""
        return False

    def owes_pawn_capture(self) -> bool:
        """Without "any?" there is nothing to owe."""
        return False

    def respond(self, tried: str) -> Response | None:
        """The response to a try of the side to move, or `None` if it does not offer the try."""
        action = self._actions.get(tried)
        if action is None:
            return None
        mover = name_of(self.board.turn)
        self._state.apply_action(action)
        self._actions = self._offered()
        hearers = self._hearers()
        text = self._announcement(mover)
        if text == "Illegal move.":
            return Response("refused", hearers, mover)
        self.board.push_uci(tried)
        announcement = ANNOUNCEMENT.fullmatch(text)
        if announcement is None:
            raise ValueError(f"unknown announcement of OpenSpiel: {text!r}")
        over = self._state.is_terminal()
        return Response(
            verdict="moved",
            heard_by=hearers,
            turn=None if over else announcement["turn"],
            capture=announcement["square"],
            victim=announcement["victim"] and announcement["victim"].lower(),
            pawn_tries=None if over else int(announcement["tries"] or 0),
            end=self._end() if over else None,
        )

    def position_differences(self) -> list[tuple[str, str, str]]:
        """Compares its position with python-chess.

        It has an en passant square only if a pawn can pseudo-legally capture there.
        """
        theirs, expected = str(self._state), self.board.fen(en_passant="xfen")
        return [] if theirs == expected else [("position", expected, theirs)]

    def final_winner(self, winner: str | None) -> str | None:
        """The winner. It notices mate and stalemate only when every try has been refused."""
        mated = name_of(self.board.turn)
        while not self._state.is_terminal():
            self._state.apply_action(self._state.legal_actions()[0])
            if self._announcement(mated) != "Illegal move.":
                return f"none yet, because there was a legal move: {self._state}"
        self._actions = {}
        return self._end()[1]

    def _offered(self) -> dict[str, int]:
        state = self._state
        return {state.action_to_string(action): action for action in state.legal_actions()}

    def _announcement(self, player: str) -> str:
        """The second line of a player's observation. The first line is the player's own pieces."""
        return self._state.observation_string(PLAYERS[player]).split("\n", 1)[1]

    def _hearers(self) -> frozenset[str]:
        """Both players observe every announcement, word for word."""
        white, black = self._announcement("white"), self._announcement("black")
        if white != black:
            raise ValueError(f"OpenSpiel announced {white!r} to White and {black!r} to Black")
        return BOTH

    def _end(self) -> End:
        """It gives no reason. If there were tries left, the reason is insufficient material."""
        white = self._state.returns()[PLAYERS["white"]]
        winner = {1.0: "white", -1.0: "black", 0.0: None}[white]
        return ("insufficient-material", winner)

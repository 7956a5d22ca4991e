"""The judge `kriegspiel` of OpenSpiel: legality, ordinary captures, counts, want of men.

It plays something close to `icc`. Its player 1 is White, its player 0 is Black.
"""

from __future__ import annotations

import re

import chess
import pyspiel

from answer import BOTH, Answer, End
from chess_facts import name_of

WORDS = re.compile(
    r"(?:(?P<victim>Pawn|Piece) at (?P<square>[a-h][1-8]) captured, )?"
    r"(?P<turn>white|black)'s move"
    r"(?:, (?P<tries>\d+) pawn (?:try|tries))?\."
)
PLAYERS = {"black": 0, "white": 1}


class OpenSpielJudge:
    """One game under OpenSpiel, and beside it python-chess for the position."""

    name = "open_spiel"

    def __init__(self, ruleset: str, fen: str) -> None:
        # Its fifty-move rule counts plies, and our umpire plays these games without draws of time.
        settings = {"fen": fen, "50_move_rule": False, "threefold_repetition": False}
        self._state = pyspiel.load_game("kriegspiel", settings).new_initial_state()
        self.board = chess.Board(fen)
        self._actions = self._offered()

    def opening(self) -> Answer:
        """It begins without a word."""
        return Answer("begun", BOTH, name_of(self.board.turn))

    def tries(self) -> set[str]:
        """The tries it offers now."""
        return set(self._actions)

    def may_ask(self) -> bool:
        """Nobody asks here."""
        return False

    def owes_pawn_capture(self) -> bool:
        """So nobody has to pay."""
        return False

    def judge(self, tried: str) -> Answer | None:
        """Answers a try of the side to move; of what it does not offer it cannot be asked."""
        action = self._actions.get(tried)
        if action is None:
            return None
        mover = name_of(self.board.turn)
        self._state.apply_action(action)
        self._actions = self._offered()
        hearers = self._hearers()
        words = self._words(mover)
        if words == "Illegal move.":
            return Answer("refused", hearers, mover)
        self.board.push_uci(tried)
        heard = WORDS.fullmatch(words)
        if heard is None:
            raise ValueError(f"OpenSpiel said {words!r}, which nobody here understands")
        over = self._state.is_terminal()
        return Answer(
            verdict="moved",
            heard_by=hearers,
            turn=None if over else heard["turn"],
            capture=heard["square"],
            victim=heard["victim"] and heard["victim"].lower(),
            pawn_tries=None if over else int(heard["tries"] or 0),
            end=self._end() if over else None,
        )

    def position_differences(self) -> list[tuple[str, str, str]]:
        """Its position against python-chess. It names en passant only where a pawn stands ready."""
        theirs, truth = str(self._state), self.board.fen(en_passant="xfen")
        return [] if theirs == truth else [("position", truth, theirs)]

    def final_winner(self, winner: str | None) -> str | None:
        """Who wins in the end. It knows of mate and stalemate once every try has been refused."""
        mated = name_of(self.board.turn)
        while not self._state.is_terminal():
            self._state.apply_action(self._state.legal_actions()[0])
            if self._words(mated) != "Illegal move.":
                return f"nobody yet, for there was a legal move: {self._state}"
        self._actions = {}
        return self._end()[1]

    def _offered(self) -> dict[str, int]:
        state = self._state
        return {state.action_to_string(action): action for action in state.legal_actions()}

    def _words(self, player: str) -> str:
        """An observation is the player's own men on a line, and on the next what was said."""
        return self._state.observation_string(PLAYERS[player]).split("\n", 1)[1]

    def _hearers(self) -> frozenset[str]:
        """All that is said stands in both players' observations, word for word."""
        white, black = self._words("white"), self._words("black")
        if white != black:
            raise ValueError(f"OpenSpiel told White {white!r} and Black {black!r}")
        return BOTH

    def _end(self) -> End:
        """It names no reasons: whoever had tries left ended by want of men."""
        white = self._state.returns()[PLAYERS["white"]]
        winner = {1.0: "white", -1.0: "black", 0.0: None}[white]
        return ("insufficient-material", winner)

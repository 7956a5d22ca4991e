"""One game under our umpire and a reference at the same time, with everything compared."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any, Protocol

import chess

from chess_rules import (
    captured_square,
    check_directions,
    end_on_board,
    legal_pawn_captures,
    name_of,
    umpires_fen,
)
from deviations import OURS_ONLY, THEIRS_ONLY, Facts, Mismatch, explanation
from expected_view import ExpectedView, expected_pieces, read_view
from kriegspiel_reference import KriegspielReference
from open_spiel_reference import OpenSpielReference
from pgn_check import moves_in
from positions import KINDS, START
from random_tries import Preference, Prompt, choose
from referee_client import Referee, RefereeError, Reply, Request
from response import ANY, NO_PLAYER, PLAYERS, Response, differences, read_end, read_response
from results import Failure, Results

REFERENCES = {reference.name: reference for reference in (KriegspielReference, OpenSpielReference)}
ANY_RULESETS = ("berkeley-any", "english")
DRAWS = {"fifty_moves": False, "threefold": False}
"""The draw rules are off, because the references do not have them."""

FROM_THE_START = 0.3
"""The share of games that begin with the initial position."""
PROBE = 0.01
"""Probability, per try, that our umpire is tested with every sensible try in games of their own."""
PROBE_NAME = "probe/"


class Reference(Protocol):
    """The interface of a reference."""

    name: str

    @property
    def board(self) -> chess.Board: ...
    def opening(self) -> Response: ...
    def tries(self) -> set[str]: ...
    def may_ask(self) -> bool: ...
    def owes_pawn_capture(self) -> bool: ...
    def respond(self, tried: str) -> Response | None: ...
    def position_differences(self) -> list[tuple[str, str, str]]: ...
    def final_winner(self, winner: str | None) -> str | None: ...


class Disagreement(Exception):
    """Our umpire and the reference differ, and no deviation explains it."""


def play_game(
    referee: Referee, reference: str, ruleset: str, seed: int, game: int, max_plies: int
) -> Results:
    """Plays one game. It is determined by the arguments."""
    rng = Random(f"{seed}/{reference}/{ruleset}/{game}")
    fen = START
    if rng.random() >= FROM_THE_START:
        fen = rng.choice(rng.choice(KINDS))
    results = Results(games=1)
    umpire = REFERENCES[reference](ruleset, fen)
    comparison = Comparison(referee, umpire, ruleset, fen, rng, results)
    try:
        comparison.play(f"{reference}/{ruleset}/{game}", max_plies)
    except Exception as error:  # A failure of either side fails only this game.
        kind = "" if isinstance(error, Disagreement) else f"{type(error).__name__}: "
        tries = tuple(comparison.tries)
        results.failures.append(Failure(reference, ruleset, game, fen, tries, f"{kind}{error}"))
    return results


class Comparison:
    """A game in progress under both umpires."""

    def __init__(
        self,
        referee: Referee,
        reference: Reference,
        ruleset: str,
        fen: str,
        rng: Random,
        results: Results,
    ) -> None:
        self.tries: list[str] = []
        self._referee = referee
        self._reference = reference
        self._ruleset = ruleset
        self._fen = fen
        self._rng = rng
        self._results = results
        self._name = ""
        self._preference = {player: rng.choice(list(Preference)) for player in PLAYERS}

    @property
    def _board(self) -> chess.Board:
        return self._reference.board

    def play(self, name: str, max_plies: int) -> None:
        """Plays until the game ends or has this many plies."""
        self._name = name
        try:
            self._open()
            while self._turn is not None and self._results.plies < max_plies:
                if self._reference.name == OpenSpielReference.name and self._rng.random() < PROBE:
                    self._probe()
                self._try(self._choose())
            if self._turn is None:
                self._after_the_end()
            self._compare_record()
        finally:
            with suppress(RefereeError):
                self._referee.ask({"cmd": "close", "game": name})

    def _open(self) -> None:
        new = self._new(self._name, self._fen)
        reply, *queries = self._referee.ask_all([new, *self._queries()])
        ours = read_response(reply, name_of(self._board.turn))
        self._begin_turn(ours)
        self._excuse(None, differences(ours, self._reference.opening()))
        self._compare_with_chess(ours)
        self._expected_views = [ExpectedView(player, ours) for player in PLAYERS]
        self._results.count_prompt(self._board)
        self._compare_queries(queries, moved=True)

    def _new(self, game: str, fen: str) -> Request:
        return {"cmd": "new", "game": game, "ruleset": self._ruleset, "fen": fen, "draws": DRAWS}

    def _queries(self) -> list[Request]:
        views = [{"cmd": "view", "game": self._name, "player": player} for player in PLAYERS]
        return [*views, {"cmd": "position", "game": self._name}]

    def _begin_turn(self, response: Response) -> None:
        self._turn = response.turn
        self._refused: set[str] = set()
        self._obligation_ended = False
        self._over = False
        self._moved = False
        self._legal = tuple(self._board.generate_legal_moves())
        self._legal_uci = {move.uci() for move in self._legal}
        self._own_pieces = {player: expected_pieces(self._board, player) for player in PLAYERS}

    def _choose(self) -> str:
        assert self._turn
        prompt = Prompt(
            board=self._board,
            offered=frozenset(self._ours | self._theirs),
            legal=self._legal,
            refused=frozenset(self._refused),
            ruleset_has_any=self._ruleset in ANY_RULESETS,
            may_ask=self._reference.may_ask(),
        )
        return choose(self._rng, self._preference[self._turn], prompt)

    def _try(self, tried: str) -> None:
        """Makes a try under both umpires and compares the responses and the resulting state."""
        self.tries.append(tried)
        mover = name_of(self._board.turn)
        owed = self._reference.owes_pawn_capture()
        sensible = tried in self._ours or (tried == ANY and self._reference.may_ask())
        reply, *queries = self._referee.ask_all([self._request(tried, mover), *self._queries()])
        ours = read_response(reply, mover)
        theirs = self._reference.respond(tried)
        self._moved = ours.verdict == "moved"
        if theirs is not None:
            self._excuse(tried, differences(ours, theirs))
        elif self._moved:
            raise Disagreement(f"we accepted {tried}, which {self._reference.name} does not offer")

        self._results.count(tried, ours, sensible, owed)
        for expected_view in self._expected_views:
            expected_view.observe(ours, mover)
        if self._moved:
            self._compare_with_chess(ours)
            self._results.count_move(self._board, ours)
            self._begin_turn(ours)
            self._compare_queries(queries, moved=True)
            return
        if ours.verdict in ("refused", "nonsense"):
            self._refused.add(tried)
            self._obligation_ended |= owed and not self._reference.owes_pawn_capture()
            if sensible:
                self._results.count_refused_castling(self._board, tried)
        self._compare_queries(queries, moved=False)

    def _request(self, tried: str, mover: str) -> Request:
        request: Request = {"game": self._name, "player": mover}
        if tried == ANY:
            return {"cmd": "ask", **request}
        return {"cmd": "try", "move": tried, **request}

    def _compare_with_chess(self, ours: Response) -> None:
        """Compares our announcement with python-chess, because references omit some parts."""
        board = self._board
        announced: list[Any] = [ours.end and ours.end[0], ours.checks]
        expected: list[Any] = [end_on_board(board), () if ours.end else check_directions(board)]
        # If en passant is announced, the announced square is the landing square.
        if not ours.en_passant:
            announced.append(ours.capture)
            expected.append(captured_square(board))
        if self._ruleset == "icc" and not ours.end:
            announced.append(ours.pawn_tries)
            expected.append(len(legal_pawn_captures(board)))
        if announced != expected:
            raise Disagreement(
                f"end, checks, capture, tries: we announce {announced}, python-chess {expected}"
            )

    def _excuse(self, tried: str | None, found: list[tuple[str, Any, Any]]) -> None:
        """Accepts differences that are deviations of the reference; each counts once per call."""
        if not found:
            return
        facts = Facts(
            ruleset=self._ruleset,
            tried=tried,
            after=self._board,
            moved=self._moved and tried is not None,
            refused=frozenset(self._refused),
            obligation_ended=self._obligation_ended,
            over=self._over,
        )
        found_deviations = set()
        for what, ours, theirs in found:
            deviation = explanation(self._reference.name, Mismatch(what, ours, theirs, facts))
            if deviation is None:
                raise Disagreement(
                    f"{what}: ours {_show(ours)}, {self._reference.name} {_show(theirs)}"
                    f" (after {tried or 'the opening'}, {self._board.fen(en_passant='fen')})"
                )
            found_deviations.add(deviation.key)
        self._results.deviations.update(found_deviations)

    def _compare_queries(self, queries: list[Reply], moved: bool) -> None:
        """Compares both views and the position with the expected ones."""
        *views, position = queries
        for expected_view, reply in zip(self._expected_views, views, strict=True):
            self._compare_view(expected_view, reply["view"])
        if moved:
            self._expected_fen = umpires_fen(self._board)
            for what, expected, theirs in self._reference.position_differences():
                raise Disagreement(
                    f"{what}: {self._reference.name} {theirs}, python-chess {expected}"
                )
        ours = (position["fen"], position["turn"], read_end(position["end"]))
        expected = (self._expected_fen, self._turn, self._expected_views[0].fields()["end"])
        if ours != expected:
            raise Disagreement(f"position: ours {_show(ours)}, expected {_show(expected)}")

    def _compare_view(self, expected_view: ExpectedView, view: dict[str, Any]) -> None:
        player = expected_view.player
        expected_fields = {**expected_view.fields(), **self._own_pieces[player]}
        our_fields = read_view(view)
        for key in expected_fields.keys() | our_fields.keys():
            ours, expected = our_fields.get(key), expected_fields.get(key)
            if ours != expected or type(ours) is not type(expected):
                raise Disagreement(
                    f"{player}'s view, {key}: ours {_show(ours)}, expected {_show(expected)}"
                )
        tries = view["tries"]
        if player != self._turn:
            if tries or view["may_ask"] or view["owes_pawn_capture"]:
                raise Disagreement(f"{player} is not to move, but has tries: {view}")
            return
        self._ours, self._theirs = set(tries), self._reference.tries()
        if len(tries) != len(self._ours):
            raise Disagreement(f"{player}'s view has a try twice: {sorted(tries)}")
        only_ours = [(OURS_ONLY, uci, None) for uci in sorted(self._ours - self._theirs)]
        only_theirs = [(THEIRS_ONLY, None, uci) for uci in sorted(self._theirs - self._ours)]
        self._excuse(None, only_ours + only_theirs)
        self._excuse(None, [
            (what, view[what], theirs)
            for what, theirs in (
                ("may_ask", self._reference.may_ask()),
                ("owes_pawn_capture", self._reference.owes_pawn_capture()),
            )
            if view[what] is not theirs
        ])  # fmt: skip
        self._compare_with_legal(view["owes_pawn_capture"])

    def _compare_with_legal(self, owes: bool) -> None:
        """Checks that every legal move is sensible, unless a pawn capture is owed."""
        if owes:
            return
        missing = self._legal_uci - self._ours
        if missing:
            raise Disagreement(f"legal in python-chess, but not sensible: {_show(missing)}")

    def _probe(self) -> None:
        """Makes each sensible try in a new game: our umpire must accept exactly the legal ones."""
        requests: list[Request] = []
        tries = sorted(self._ours)
        for uci in tries:
            game = f"{PROBE_NAME}{self._name}/{uci}"
            requests += [
                self._new(game, self._expected_fen),
                {"cmd": "try", "game": game, "move": uci},
                {"cmd": "close", "game": game},
            ]
        replies = self._referee.ask_all(requests)[1::3]
        accepted = {
            uci
            for uci, reply in zip(tries, replies, strict=True)
            if reply["accepted"] and reply["announcement"]["verdict"] == "moved"
        }
        if accepted != self._legal_uci:
            raise Disagreement(
                f"on {self._expected_fen} we accept {_show(accepted)},"
                f" python-chess {_show(self._legal_uci)}"
            )

    def _compare_record(self) -> None:
        """Checks that python-chess finds the same moves in our record."""
        reply = self._referee.ask({"cmd": "record", "game": self._name, "format": "pgn"})
        moves = moves_in(reply["pgn"])
        if moves != self._board.move_stack:
            raise Disagreement(f"our PGN has different moves: {reply['pgn']}")

    def _after_the_end(self) -> None:
        """Checks that tries are no longer processed, and that both have the same winner."""
        end = self._expected_views[0].fields()["end"]
        winner = self._reference.final_winner(end[1])
        if winner != end[1]:
            raise Disagreement(f"winner: ours {end[1]}, {self._reference.name} {winner}")
        self._over, self._moved = True, False
        mover = name_of(self._board.turn)
        for tried in ("e2e4", ANY):
            self.tries.append(tried)
            reply, *queries = self._referee.ask_all([self._request(tried, mover), *self._queries()])
            ours = read_response(reply, mover)
            if (ours.verdict, ours.heard_by, ours.turn) != (None, NO_PLAYER, None):
                raise Disagreement(f"a response to {tried} after the end: {reply}")
            theirs = self._reference.respond(tried)
            if theirs is not None:
                self._excuse(tried, differences(ours, theirs))
            self._compare_queries(queries, moved=False)


def _show(value: Any) -> str:
    return str(sorted(value)) if isinstance(value, (set, frozenset)) else repr(value)

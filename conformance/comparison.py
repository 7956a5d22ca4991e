"""One game, umpired by ours and by a judge at once, and everything compared that can be."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any, Protocol

import chess

from answer import ANY, NOBODY, PLAYERS, Answer, differences, read_end, read_reply
from chess_facts import (
    captured_square,
    check_directions,
    end_on_board,
    legal_pawn_captures,
    name_of,
    umpires_fen,
)
from deviations import OURS_ONLY, THEIRS_ONLY, Facts, Mismatch, excuse
from hearing import Hearing, expected_men, read_view
from kriegspiel_judge import KriegspielJudge
from open_pgn import moves_in
from open_spiel_judge import OpenSpielJudge
from positions import KINDS, START
from referee_client import Referee, RefereeError, Reply, Request
from tally import Failure, Tally
from tempers import Prompt, Temper, choose

JUDGES = {judge.name: judge for judge in (KriegspielJudge, OpenSpielJudge)}
ANY_RULESETS = ("berkeley-any", "english")
DRAWS = {"fifty_moves": False, "threefold": False}
"""The judges have neither of these."""

FROM_THE_START = 0.3
"""The share of games that begin where chess begins."""
PROBE = 0.01
"""How often, at a prompt, every sensible try is put to our umpire, each in a game of its own."""
PROBE_NAME = "probe/"


class Judge(Protocol):
    """What a judge can be asked."""

    name: str

    @property
    def board(self) -> chess.Board: ...
    def opening(self) -> Answer: ...
    def tries(self) -> set[str]: ...
    def may_ask(self) -> bool: ...
    def owes_pawn_capture(self) -> bool: ...
    def judge(self, tried: str) -> Answer | None: ...
    def position_differences(self) -> list[tuple[str, str, str]]: ...
    def final_winner(self, winner: str | None) -> str | None: ...


class Disagreement(Exception):
    """Our umpire and the judge differ, and no deviation explains it."""


def play_game(
    referee: Referee, judge: str, ruleset: str, seed: int, game: int, max_plies: int
) -> Tally:
    """Plays the game of this number. All its chance comes from the numbers given here."""
    rng = Random(f"{seed}/{judge}/{ruleset}/{game}")
    fen = START
    if rng.random() >= FROM_THE_START:
        fen = rng.choice(rng.choice(KINDS))
    tally = Tally(games=1)
    lockstep = Lockstep(referee, JUDGES[judge](ruleset, fen), ruleset, fen, rng, tally)
    try:
        lockstep.play(f"{judge}/{ruleset}/{game}", max_plies)
    except Exception as error:  # A referee or judge that breaks down fails this game only.
        kind = "" if isinstance(error, Disagreement) else f"{type(error).__name__}: "
        tries = tuple(lockstep.tries)
        tally.failures.append(Failure(judge, ruleset, game, fen, tries, f"{kind}{error}"))
    return tally


class Lockstep:
    """A game in progress."""

    def __init__(
        self, referee: Referee, judge: Judge, ruleset: str, fen: str, rng: Random, tally: Tally
    ) -> None:
        self.tries: list[str] = []
        self._referee = referee
        self._judge = judge
        self._ruleset = ruleset
        self._fen = fen
        self._rng = rng
        self._tally = tally
        self._name = ""
        self._temper = {player: rng.choice(list(Temper)) for player in PLAYERS}

    @property
    def _board(self) -> chess.Board:
        return self._judge.board

    def play(self, name: str, max_plies: int) -> None:
        """Plays until the end, or until so many moves were made."""
        self._name = name
        try:
            self._open()
            while self._turn is not None and self._tally.plies < max_plies:
                if self._judge.name == OpenSpielJudge.name and self._rng.random() < PROBE:
                    self._probe()
                self._attempt(self._choose())
            if self._turn is None:
                self._after_the_end()
            self._compare_record()
        finally:
            with suppress(RefereeError):
                self._referee.ask({"cmd": "close", "game": name})

    def _open(self) -> None:
        new = self._new(self._name, self._fen)
        reply, *looks = self._referee.ask_all([new, *self._looks()])
        ours = read_reply(reply, name_of(self._board.turn))
        self._new_turn(ours)
        self._settle(None, differences(ours, self._judge.opening()))
        self._compare_with_chess(ours)
        self._hearings = [Hearing(player, ours) for player in PLAYERS]
        self._tally.count_prompt(self._board)
        self._compare_looks(looks, moved=True)

    def _new(self, game: str, fen: str) -> Request:
        return {"cmd": "new", "game": game, "ruleset": self._ruleset, "fen": fen, "draws": DRAWS}

    def _looks(self) -> list[Request]:
        views = [{"cmd": "view", "game": self._name, "player": player} for player in PLAYERS]
        return [*views, {"cmd": "position", "game": self._name}]

    def _new_turn(self, said: Answer) -> None:
        self._turn = said.turn
        self._refused: set[str] = set()
        self._debt_forgiven = False
        self._over = False
        self._moved = False
        self._legal = tuple(self._board.generate_legal_moves())
        self._legal_uci = {move.uci() for move in self._legal}
        self._men = {player: expected_men(self._board, player) for player in PLAYERS}

    def _choose(self) -> str:
        assert self._turn
        prompt = Prompt(
            board=self._board,
            offered=frozenset(self._ours | self._theirs),
            legal=self._legal,
            refused=frozenset(self._refused),
            ruleset_has_any=self._ruleset in ANY_RULESETS,
            may_ask=self._judge.may_ask(),
        )
        return choose(self._rng, self._temper[self._turn], prompt)

    def _attempt(self, tried: str) -> None:
        """Puts a try to both and compares what they say and what then stands."""
        self.tries.append(tried)
        mover = name_of(self._board.turn)
        owed = self._judge.owes_pawn_capture()
        sensible = tried in self._ours or (tried == ANY and self._judge.may_ask())
        reply, *looks = self._referee.ask_all([self._request(tried, mover), *self._looks()])
        ours = read_reply(reply, mover)
        theirs = self._judge.judge(tried)
        self._moved = ours.verdict == "moved"
        if theirs is not None:
            self._settle(tried, differences(ours, theirs))
        elif self._moved:
            raise Disagreement(f"we took {tried}, which {self._judge.name} does not even offer")

        self._tally.count(tried, ours, sensible, owed)
        for hearing in self._hearings:
            hearing.hear(ours, mover)
        if self._moved:
            self._compare_with_chess(ours)
            self._tally.count_move(self._board, ours)
            self._new_turn(ours)
            self._compare_looks(looks, moved=True)
            return
        if ours.verdict in ("refused", "nonsense"):
            self._refused.add(tried)
            self._debt_forgiven |= owed and not self._judge.owes_pawn_capture()
            if sensible:
                self._tally.count_refused_castling(self._board, tried)
        self._compare_looks(looks, moved=False)

    def _request(self, tried: str, mover: str) -> Request:
        request: Request = {"game": self._name, "player": mover}
        if tried == ANY:
            return {"cmd": "ask", **request}
        return {"cmd": "try", "move": tried, **request}

    def _compare_with_chess(self, ours: Answer) -> None:
        """Holds what we say of the board against python-chess: some judges are silent there."""
        board = self._board
        told: list[Any] = [ours.end and ours.end[0], ours.checks]
        truth: list[Any] = [end_on_board(board), () if ours.end else check_directions(board)]
        if not ours.en_passant:  # Else the square told is the landing square, by the ruleset.
            told.append(ours.capture)
            truth.append(captured_square(board))
        if self._ruleset == "icc" and not ours.end:
            told.append(ours.pawn_tries)
            truth.append(len(legal_pawn_captures(board)))
        if told != truth:
            raise Disagreement(
                f"end, checks, capture, tries: we say {told}, python-chess says {truth}"
            )

    def _settle(self, tried: str | None, found: list[tuple[str, Any, Any]]) -> None:
        """Lets pass what is the judge's error; each error counts once for an answer or prompt."""
        if not found:
            return
        facts = Facts(
            ruleset=self._ruleset,
            tried=tried,
            after=self._board,
            moved=self._moved and tried is not None,
            refused=frozenset(self._refused),
            debt_forgiven=self._debt_forgiven,
            over=self._over,
        )
        excuses = set()
        for what, ours, theirs in found:
            deviation = excuse(self._judge.name, Mismatch(what, ours, theirs, facts))
            if deviation is None:
                raise Disagreement(
                    f"{what}: we say {_show(ours)}, {self._judge.name} says {_show(theirs)}"
                    f" (after {tried or 'the opening'}, {self._board.fen(en_passant='fen')})"
                )
            excuses.add(deviation.key)
        self._tally.deviations.update(excuses)

    def _compare_looks(self, looks: list[Reply], moved: bool) -> None:
        """Compares both views and the position with what was heard and what the judge has."""
        *views, position = looks
        for hearing, reply in zip(self._hearings, views, strict=True):
            self._compare_view(hearing, reply["view"])
        if moved:
            self._expected_fen = umpires_fen(self._board)
            for what, truth, theirs in self._judge.position_differences():
                raise Disagreement(f"{what}: {self._judge.name} {theirs}, python-chess {truth}")
        told = (position["fen"], position["turn"], read_end(position["end"]))
        expected = (self._expected_fen, self._turn, self._hearings[0].expected()["end"])
        if told != expected:
            raise Disagreement(f"position: we say {_show(told)}, it is {_show(expected)}")

    def _compare_view(self, hearing: Hearing, view: dict[str, Any]) -> None:
        expected = {**hearing.expected(), **self._men[hearing.player]}
        told = read_view(view)
        for key in expected.keys() | told.keys():
            ours, theirs = told.get(key), expected.get(key)
            if ours != theirs or type(ours) is not type(theirs):
                raise Disagreement(
                    f"{hearing.player}'s view, {key}: we say {_show(ours)}, it is {_show(theirs)}"
                )
        tries = view["tries"]
        if hearing.player != self._turn:
            if tries or view["may_ask"] or view["owes_pawn_capture"]:
                raise Disagreement(f"{hearing.player} has nothing to try, but sees {view}")
            return
        self._ours, self._theirs = set(tries), self._judge.tries()
        if len(tries) != len(self._ours):
            raise Disagreement(f"{hearing.player}'s view has a try twice: {sorted(tries)}")
        only_ours = [(OURS_ONLY, uci, None) for uci in sorted(self._ours - self._theirs)]
        only_theirs = [(THEIRS_ONLY, None, uci) for uci in sorted(self._theirs - self._ours)]
        self._settle(None, only_ours + only_theirs)
        self._settle(None, [
            (what, view[what], theirs)
            for what, theirs in (
                ("may_ask", self._judge.may_ask()),
                ("owes_pawn_capture", self._judge.owes_pawn_capture()),
            )
            if view[what] is not theirs
        ])  # fmt: skip
        self._compare_with_legal(view["owes_pawn_capture"])

    def _compare_with_legal(self, owes: bool) -> None:
        """Whatever is legal is sensible, unless a pawn capture is owed."""
        if owes:
            return
        missing = self._legal_uci - self._ours
        if missing:
            raise Disagreement(f"legal by python-chess, not sensible to us: {_show(missing)}")

    def _probe(self) -> None:
        """Puts each sensible try to our umpire in a fresh game: it must take exactly the legal."""
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
        taken = {
            uci
            for uci, reply in zip(tries, replies, strict=True)
            if reply["accepted"] and reply["said"]["verdict"] == "moved"
        }
        if taken != self._legal_uci:
            raise Disagreement(
                f"on {self._expected_fen} we take {_show(taken)},"
                f" python-chess {_show(self._legal_uci)}"
            )

    def _compare_record(self) -> None:
        """An ordinary chess program finds the same moves in our record."""
        reply = self._referee.ask({"cmd": "record", "game": self._name, "format": "pgn"})
        moves = moves_in(reply["pgn"])
        if moves != self._board.move_stack:
            raise Disagreement(f"our PGN has other moves than were made: {reply['pgn']}")

    def _after_the_end(self) -> None:
        """Nothing is accepted any more, and the judge names the same winner in the end."""
        end = self._hearings[0].expected()["end"]
        winner = self._judge.final_winner(end[1])
        if winner != end[1]:
            raise Disagreement(f"winner: we say {end[1]}, {self._judge.name} says {winner}")
        self._over, self._moved = True, False
        mover = name_of(self._board.turn)
        for tried in ("e2e4", ANY):
            self.tries.append(tried)
            reply, *looks = self._referee.ask_all([self._request(tried, mover), *self._looks()])
            ours = read_reply(reply, mover)
            if (ours.verdict, ours.heard_by, ours.turn) != (None, NOBODY, None):
                raise Disagreement(f"after the end we answered {tried}: {reply}")
            theirs = self._judge.judge(tried)
            if theirs is not None:
                self._settle(tried, differences(ours, theirs))
            self._compare_looks(looks, moved=False)


def _show(value: Any) -> str:
    return str(sorted(value)) if isinstance(value, (set, frozenset)) else repr(value)

"""Talks to one `krieg referee` process: requests out, replies in, one JSON object a line."""

from __future__ import annotations

import itertools
import json
import subprocess
from collections.abc import Sequence
from types import TracebackType
from typing import Any

Request = dict[str, Any]
Reply = dict[str, Any]


class RefereeError(Exception):
    """The referee broke its protocol, reported an error, or is gone."""


class Referee:
    """A referee process. One serves as many games as one likes."""

    # So many requests are sent before their replies are read. Few enough that neither pipe fills
    # up, which would leave both sides waiting for each other.
    MOST_AT_ONCE = 40

    def __init__(self, krieg: str) -> None:
        self._process = subprocess.Popen(
            [krieg, "referee"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._ids = itertools.count(1)

    def __enter__(self) -> Referee:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the process by ending its input."""
        assert self._process.stdin and self._process.stdout
        try:
            self._process.stdin.close()
        except BrokenPipeError:
            pass  # It was gone already.
        self._process.stdout.close()
        self._process.wait()

    def ask(self, request: Request) -> Reply:
        """Sends one request."""
        return self.ask_all([request])[0]

    def ask_all(self, requests: Sequence[Request]) -> list[Reply]:
        """Sends requests together and reads the replies: one round trip instead of many."""
        replies: list[Reply] = []
        for start in range(0, len(requests), self.MOST_AT_ONCE):
            replies.extend(self._exchange(requests[start : start + self.MOST_AT_ONCE]))
        return replies

    def _exchange(self, requests: Sequence[Request]) -> list[Reply]:
        assert self._process.stdin and self._process.stdout
        numbered = [{**request, "id": next(self._ids)} for request in requests]
        lines = "".join(json.dumps(request) + "\n" for request in numbered)
        try:
            self._process.stdin.write(lines.encode())
            self._process.stdin.flush()
        except BrokenPipeError:
            raise RefereeError("the referee is gone") from None
        # All lines are read before one is judged, so that a bad one does not leave the others.
        answers = [self._process.stdout.readline() for _ in numbered]
        return [read_reply(request, line) for request, line in zip(numbered, answers, strict=True)]

    def is_gone(self) -> bool:
        """Whether the process has ended."""
        return self._process.poll() is not None


def read_reply(request: Request, line: bytes) -> Reply:
    """The reply to a request, where it is a good one."""
    if not line:
        raise RefereeError(f"the referee ended without an answer to {request}")
    try:
        reply: Reply = json.loads(line)
    except ValueError:
        raise RefereeError(f"{line!r} in answer to {request} is not JSON") from None
    if reply.get("id") != request["id"]:
        raise RefereeError(f"{reply} does not repeat the id of {request}")
    if reply.get("ok") is not True:
        raise RefereeError(f"{request} was answered {reply}")
    return reply

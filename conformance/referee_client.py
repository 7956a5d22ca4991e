"""A client of one `krieg referee` process: requests and replies, one JSON object per line."""

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
    """The referee violated its protocol, reported an error, or ended."""


class Referee:
    """A referee process. It serves any number of games."""

    # Maximum number of requests sent before their replies are read. It is small enough that neither
    # pipe fills up, which would be a deadlock.
    MAX_BATCH = 40

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
            pass  # The process has ended already.
        self._process.stdout.close()
        self._process.wait()

    def ask(self, request: Request) -> Reply:
        """Sends one request."""
        return self.ask_all([request])[0]

    def ask_all(self, requests: Sequence[Request]) -> list[Reply]:
        """Sends requests together and reads the replies, which saves round trips."""
        replies: list[Reply] = []
        for start in range(0, len(requests), self.MAX_BATCH):
            replies.extend(self._exchange(requests[start : start + self.MAX_BATCH]))
        return replies

    def _exchange(self, requests: Sequence[Request]) -> list[Reply]:
        assert self._process.stdin and self._process.stdout
        numbered = [{**request, "id": next(self._ids)} for request in requests]
        text = "".join(json.dumps(request) + "\n" for request in numbered)
        try:
            self._process.stdin.write(text.encode())
            self._process.stdin.flush()
        except BrokenPipeError:
            raise RefereeError("the referee has ended") from None
        # All lines are read before the first is checked, so that an error leaves none unread.
        lines = [self._process.stdout.readline() for _ in numbered]
        return [read_reply(request, line) for request, line in zip(numbered, lines, strict=True)]

    def has_ended(self) -> bool:
        """Whether the process has ended."""
        return self._process.poll() is not None


def read_reply(request: Request, line: bytes) -> Reply:
    """The reply to a request; raises an error if it is not a valid one."""
    if not line:
        raise RefereeError(f"the referee ended without a reply to {request}")
    try:
        reply: Reply = json.loads(line)
    except ValueError:
        raise RefereeError(f"{line!r} in reply to {request} is not JSON") from None
    if reply.get("id") != request["id"]:
        raise RefereeError(f"{reply} does not repeat the id of {request}")
    if reply.get("ok") is not True:
        raise RefereeError(f"the reply to {request} is {reply}")
    return reply

#!/usr/bin/env python3
"""A player for `krieg serve` that needs nothing but Python: it tries whatever is sensible until the game is over.

    python3 examples/web_bot.py --bot greedy --ruleset icc
    python3 examples/web_bot.py --lobby --server http://127.0.0.1:8080

It takes a name as a guest, begins a game against a bot or joins one that waits in the lobby, and plays it over a WebSocket (RFC 6455).
docs/api.md has the messages; a better player is a better `choose`.
"""
import argparse
import base64
import hashlib
import json
import os
import random
import socket
import struct
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


def request(server, path, body=None, token=None):
    """Asks the server: with a body it is a POST. Answers with what the server answered, or ends with what it said was wrong."""
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(server + path, data, headers), timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        sys.exit(f"{path}: {error.code} {error.read().decode(errors='replace')}")
    except urllib.error.URLError as error:
        sys.exit(f"{server}: {error.reason}")


class WebSocket:
    """One end of a WebSocket: texts out, texts in."""

    def __init__(self, server, path, token):
        address = urllib.parse.urlsplit(server)
        self.socket = socket.create_connection((address.hostname, address.port or 80), timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.stream = self.socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((
            f"GET {path} HTTP/1.1\r\nHost: {address.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\nAuthorization: Bearer {token}\r\n\r\n").encode())
        status = self.stream.readline().decode().strip()
        headers = {}
        while line := self.stream.readline().decode().strip():
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        # The server proves that it speaks this protocol: the number is from the RFC.
        proof = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
        if status.split(" ")[1:2] != ["101"] or headers.get("sec-websocket-accept") != base64.b64encode(proof).decode():
            sys.exit(f"{path}: no WebSocket, but {status}")
        # Opponents may think as long as they like.
        self.socket.settimeout(None)

    def send(self, payload, kind=TEXT):
        """Sends one frame. What a client sends is masked."""
        size, mask = len(payload), os.urandom(4)
        if size < 126:
            head = struct.pack("!BB", 0x80 | kind, 0x80 | size)
        elif size < 1 << 16:
            head = struct.pack("!BBH", 0x80 | kind, 0x80 | 126, size)
        else:
            head = struct.pack("!BBQ", 0x80 | kind, 0x80 | 127, size)
        masked = bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))
        self.socket.sendall(head + mask + masked)

    def read(self, size):
        """So many bytes, and no fewer."""
        data = self.stream.read(size)
        if len(data) < size:
            raise ConnectionError("the connection ended")
        return data

    def receive(self):
        """The next text, put together if it came in pieces; None when the server says good-bye."""
        whole = b""
        while True:
            first, second = self.read(2)
            kind, size = first & 0x0F, second & 0x7F
            if size == 126:
                size, = struct.unpack("!H", self.read(2))
            elif size == 127:
                size, = struct.unpack("!Q", self.read(8))
            payload = self.read(size)
            if kind == PING:
                self.send(payload, PONG)
            elif kind == CLOSE:
                self.send(payload[:2], CLOSE)
                return None
            elif kind != PONG:
                whole += payload
                if first & 0x80:
                    return whole.decode()


def choose(view, chance):
    """What to try, of what this player sees: anything sensible, or now and then a question where one may be asked."""
    if view["may_ask"] and (chance.random() < 0.3 or not view["tries"]):
        return "any?"
    return chance.choice(view["tries"])


def find_game(options, token):
    """The id of a game to play: one that waits in the lobby, or a new one against a bot."""
    if not options.lobby:
        wanted = {"ruleset": options.ruleset, "color": options.color,
                  "opponent": {"kind": "bot", "name": options.bot, "ms": options.ms}}
        return request(options.server, "/api/games", wanted, token)["game"]["id"]
    waiting = request(options.server, "/api/games?status=open", token=token)["games"]
    if not waiting:
        sys.exit("Nobody waits in the lobby.")
    game = waiting[-1]["id"]
    request(options.server, f"/api/games/{game}/join", {}, token)
    return game


def play(table, chance):
    """Plays until the game is over; the server's last words about it."""
    view, sent = None, 0
    while text := table.receive():
        message = json.loads(text)
        if message["type"] == "status":
            # Somebody came or went: nothing to answer.
            continue
        if message["type"] == "error":
            print(f"  {message['code']}: {message['message']}")
            time.sleep(0.5)
        view = message.get("view", view)
        heard = message["observation"] if "observation" in message else message.get("log", [])
        for line in heard if isinstance(heard, list) else [heard]:
            print(f"{line['move']:>3} {line['by']:<5} {line.get('name', ''):<7} {line['text']}")
        if message.get("game", {}).get("status") == "over":
            return message["game"]
        if view["turn"] == view["player"]:
            sent += 1
            table.send(json.dumps({"action": "try", "try": choose(view, chance), "ref": sent}).encode())
    sys.exit("The server ended the connection.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", default="http://127.0.0.1:8080", help="where it is (default: %(default)s)")
    parser.add_argument("--lobby", action="store_true", help="join a game that waits in the lobby")
    parser.add_argument("--bot", default="greedy", help="the bot to play against (default: %(default)s)")
    parser.add_argument("--ms", type=int, default=100, help="how long the bot thinks about a move (default: %(default)s)")
    parser.add_argument("--ruleset", default="icc", help="(default: %(default)s)")
    parser.add_argument("--color", default="random", choices=["white", "black", "random"])
    parser.add_argument("--seed", type=int, default=None, help="for the same tries again")
    options = parser.parse_args()
    options.server = options.server.rstrip("/")
    token = request(options.server, "/api/guest", {})["token"]
    game = find_game(options, token)
    print(f"{options.server}/game/{game}")
    over = play(WebSocket(options.server, f"/api/games/{game}/ws", token), random.Random(options.seed))
    print(f"{over['result']}, {over['ending']}, {over['moves']} moves. I was {over['you']}.")


if __name__ == "__main__":
    main()

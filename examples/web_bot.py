#!/usr/bin/env python3
"""A bot for `krieg serve` that needs only the standard library. It plays random sensible tries.

    python3 examples/web_bot.py --bot greedy --ruleset icc
    python3 examples/web_bot.py --lobby --server http://127.0.0.1:8080

The bot signs in as a guest, creates a game against another bot or joins a game of the lobby, and
plays it over a WebSocket (RFC 6455). docs/api.md describes the messages. For a stronger bot, write
a better `choose`.
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

TIMEOUT_S = 30

# Opcodes of WebSocket frames.
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10

# From RFC 6455: a server proves with it that it speaks the protocol.
HANDSHAKE_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


def request(server, path, body=None, token=None):
    """Sends a request, a POST if it has a body, and returns the response. Exits on an error."""
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    message = urllib.request.Request(server + path, data, headers)
    try:
        with urllib.request.urlopen(message, timeout=TIMEOUT_S) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        sys.exit(f"{path}: {error.code} {error.read().decode(errors='replace')}")
    except urllib.error.URLError as error:
        sys.exit(f"{server}: {error.reason}")


class WebSocket:
    """A client's end of a WebSocket that sends and receives text messages."""

    def __init__(self, server, path, token):
        url = urllib.parse.urlsplit(server)
        address = (url.hostname, url.port or 80)
        self.socket = socket.create_connection(address, timeout=TIMEOUT_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.stream = self.socket.makefile("rb")
        self.handshake(url.netloc, path, token)
        # The opponent may think for any time.
        self.socket.settimeout(None)

    def handshake(self, host, path, token):
        """Asks for the WebSocket, and checks the response."""
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {path} HTTP/1.1", f"Host: {host}", "Upgrade: websocket", "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13",
            f"Authorization: Bearer {token}",
        ]
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        status = self.stream.readline().decode().strip()
        headers = {}
        while line := self.stream.readline().decode().strip():
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        proof = base64.b64encode(hashlib.sha1((key + HANDSHAKE_GUID).encode()).digest()).decode()
        is_upgraded = status.split(" ")[1:2] == ["101"]
        if not is_upgraded or headers.get("sec-websocket-accept") != proof:
            sys.exit(f"{path}: the server did not open a WebSocket: {status}")

    def send(self, payload, opcode=TEXT):
        """Sends one frame. A client must mask its frames."""
        size, mask = len(payload), os.urandom(4)
        if size < 126:
            header = struct.pack("!BB", 0x80 | opcode, 0x80 | size)
        elif size < 1 << 16:
            header = struct.pack("!BBH", 0x80 | opcode, 0x80 | 126, size)
        else:
            header = struct.pack("!BBQ", 0x80 | opcode, 0x80 | 127, size)
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
        self.socket.sendall(header + mask + masked)

    def read(self, size):
        """Reads exactly this number of bytes."""
        data = self.stream.read(size)
        if len(data) < size:
            raise ConnectionError("the connection was closed")
        return data

    def receive(self):
        """Returns the next text message, or None when the server closes the connection."""
        message = b""
        while True:
            first, second = self.read(2)
            is_final, opcode, size = first & 0x80, first & 0x0F, second & 0x7F
            if size == 126:
                size, = struct.unpack("!H", self.read(2))
            elif size == 127:
                size, = struct.unpack("!Q", self.read(8))
            payload = self.read(size)
            if opcode == PING:
                self.send(payload, PONG)
            elif opcode == CLOSE:
                self.send(payload[:2], CLOSE)
                return None
            elif opcode != PONG:
                message += payload
                if is_final:
                    return message.decode()


def choose(view, rng):
    """Chooses a try from the player's view: any sensible one, or sometimes the question "any?"."""
    if view["may_ask"] and (rng.random() < 0.3 or not view["tries"]):
        return "any?"
    return rng.choice(view["tries"])


def find_game(options, token):
    """Returns the id of a game: one of the lobby, or a new one against a bot."""
    if not options.lobby:
        settings = {"ruleset": options.ruleset, "color": options.color,
                    "opponent": {"kind": "bot", "name": options.bot, "ms": options.ms}}
        return request(options.server, "/api/games", settings, token)["game"]["id"]
    open_games = request(options.server, "/api/games?status=open", token=token)["games"]
    if not open_games:
        sys.exit("The lobby has no open games.")
    game = open_games[-1]["id"]
    request(options.server, f"/api/games/{game}/join", {}, token)
    return game


def observations(message):
    """The observations in a message: one, or all of them in a `state` message."""
    if "observation" in message:
        return [message["observation"]]
    return message.get("log", [])


def play(websocket, rng):
    """Plays until the game is over, and returns its summary."""
    view, ref = None, 0
    while text := websocket.receive():
        message = json.loads(text)
        if message["type"] == "status":
            # The opponent connected or disconnected, or there is an offer.
            continue
        if message["type"] == "error":
            print(f"  {message['code']}: {message['message']}")
            time.sleep(0.5)
        view = message.get("view", view)
        for seen in observations(message):
            print(f"{seen['move']:>3} {seen['by']:<5} {seen.get('name', ''):<7} {seen['text']}")
        if message.get("game", {}).get("status") == "over":
            return message["game"]
        if view["turn"] == view["player"]:
            ref += 1
            action = {"action": "try", "try": choose(view, rng), "ref": ref}
            websocket.send(json.dumps(action).encode())
    sys.exit("The server closed the connection.")


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", default="http://127.0.0.1:8080",
                        help="URL of the server (default: %(default)s)")
    parser.add_argument("--lobby", action="store_true", help="join a game of the lobby")
    parser.add_argument("--bot", default="greedy",
                        help="the bot to play against (default: %(default)s)")
    parser.add_argument("--ms", type=int, default=100,
                        help="the bot's thinking time per move in ms (default: %(default)s)")
    parser.add_argument("--ruleset", default="icc", help="(default: %(default)s)")
    parser.add_argument("--color", default="random", choices=["white", "black", "random"])
    parser.add_argument("--seed", type=int, default=None, help="makes the tries repeatable")
    options = parser.parse_args()
    options.server = options.server.rstrip("/")
    return options


def main():
    options = parse_options()
    token = request(options.server, "/api/guest", {})["token"]
    game = find_game(options, token)
    print(f"{options.server}/game/{game}")
    websocket = WebSocket(options.server, f"/api/games/{game}/ws", token)
    summary = play(websocket, random.Random(options.seed))
    result = f"{summary['result']}, {summary['ending']}, {summary['moves']} moves"
    print(f"{result}. I was {summary['you']}.")


if __name__ == "__main__":
    main()

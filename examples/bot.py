#!/usr/bin/env python3
"""A player of Kriegspiel in a few lines. Let it play a match:

    krieg match "engine(cmd=\"python3 examples/bot.py\")" random

It recaptures if it can, and otherwise tries anything. docs/protocol.md describes the protocol.
"""
import random
import sys

color = None
lost_on = None  # The square on which the opponent has just captured.

for line in sys.stdin:
    words = line.split()
    if not words:
        continue
    if words[0] == "krieg":
        print("id name bot.py\nid author you\nkriegok", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "newgame":
        color = words[words.index("color") + 1]
        random.seed(words[words.index("seed") + 1])
        lost_on = None
    elif words[0] == "heard" and words[2] == "moved":
        is_loss = words[1] != color and "capture" in words
        lost_on = words[words.index("capture") + 1] if is_loss else None
    elif words[0] == "go":
        tries = words[words.index("tries") + 1:]
        recaptures = [move for move in tries if lost_on and move[2:4] == lost_on]
        print("try", random.choice(recaptures or tries), flush=True)
    elif words[0] == "quit":
        break

"""A bot: makes an account and a token, and plays a game against the engine of a Lozenge server.

    python3 examples/bot.py http://127.0.0.1:8080 [GAME]

Nothing but Python's own library. How it chooses its moves is in `choose`; everything else a bot of yours needs too.
"""

import http.cookiejar
import json
import random
import secrets
import sys
import urllib.error
import urllib.request

MOST_MOVES = 60


class Server:
    """A Lozenge server, asked as a browser (with cookies) or as a program (with a token)."""

    def __init__(self, address, token=None):
        self.address = address.rstrip("/")
        self.token = token
        self.opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        )

    def open(self, method, path, body=None):
        headers = {"Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, headers, method=method)
        return self.opener.open(request, timeout=60)

    def ask(self, method, path, body=None):
        with self.open(method, path, body) as answer:
            return json.load(answer)


def make_token(address):
    """A new account becomes a bot's with its first token for bots."""
    browser = Server(address)
    name = "bot-" + secrets.token_hex(4)
    browser.ask("POST", "/api/account/register", {"name": name, "password": secrets.token_urlsafe(16)})
    token = browser.ask("POST", "/api/tokens", {"label": "example", "scopes": ["bot"]})
    return name, token["secret"]


def choose(state):
    """Any of the legal moves. A bot that thinks would look at `state["fen"]`."""
    return random.choice(state["moves"])


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    variant = sys.argv[2] if len(sys.argv) == 3 else "diamond"
    name, token = make_token(sys.argv[1])
    server = Server(sys.argv[1], token)
    engine = {"kind": "engine", "level": 1}
    players = server.ask("GET", f"/api/variants/{variant}/board").get("players", 2)
    if players > 2:
        terms = {"seats": [{"kind": "me"}] + [engine] * (players - 1)}
    else:
        terms = {"opponent": engine, "side": "white"}
    game = server.ask("POST", "/api/games", {"variant": variant, **terms})
    me = game["you"]  # white or black; of more players red, blue, yellow or green
    print(f"{name} plays {game['variant_name']}: {server.address}/game/{game['id']}")
    with server.open("GET", f"/api/bot/game/stream/{game['id']}") as lines:
        for line in lines:
            if not line.strip():
                continue  # still there
            event = json.loads(line)
            state = event["game"]["state"] if event["type"] == "game" else event.get("state")
            if state is None:
                continue
            if state["status"] == "finished":
                print(f"{state['result']} by {state['reason']} after {state['ply']} half moves")
                return
            seats = (state.get("seats") or {}).get("list", [])
            exits = [seat["exit"] for seat in seats if seat["color"] == me]
            if any(exits):
                print(f"out by {exits[0]} after {state['ply']} half moves; the others go on")
                return
            if state["turn"] == me:
                what = "resign" if state["ply"] >= 2 * MOST_MOVES else f"move/{choose(state)}"
                server.ask("POST", f"/api/bot/game/{game['id']}/{what}", {})
    sys.exit("the stream ended before the game")


if __name__ == "__main__":
    try:
        main()
    except urllib.error.HTTPError as error:
        sys.exit(f"{error.code}: {error.read().decode()}")

"""Answers for crates/ini/tests/it/pyffish.rs: a JSON line with a variant and moves gives a line with what holds before each move and
after the last: the legal moves, whether the side to move is in check, and how the game ends for it."""

import json
import sys

import pyffish


def end_of(name, fen, legal, since, moves):
    over, value = pyffish.is_immediate_game_end(name, fen, [])
    if not over and not legal:
        over, value = True, pyffish.game_result(name, fen, [])
    if over:
        return "draw" if value == 0 else "win" if value > 0 else "loss"
    over, value = pyffish.is_optional_game_end(name, since, moves)
    return "" if not over else "claim" if value == 0 else f"claim {value}"


def plies_of(name, moves):
    fen = since = start = pyffish.start_fen(name)
    # The moves since `since`, where the count of moves was last 0: pyffish looks for repetitions no further back.
    counted = []
    for ply in range(len(moves) + 1):
        # From the start: a FEN can name another piece to castle with than the right was for.
        legal = sorted(pyffish.legal_moves(name, start, moves[:ply]))
        end = end_of(name, fen, legal, since, counted)
        yield [" ".join(legal), pyffish.gives_check(name, fen, []), end]
        if ply == len(moves) or moves[ply] not in legal:
            return
        fen = pyffish.get_fen(name, fen, [moves[ply]])
        counted.append(moves[ply])
        if fen.split()[-2] == "0":
            since, counted = fen, []


pyffish.load_variant_config(json.loads(sys.stdin.readline()))
known = set(pyffish.variants())
for line in sys.stdin:
    asked = json.loads(line)
    name = asked["variant"]
    # Unknown names end the process, and with it all other tests.
    answer = {"plies": list(plies_of(name, asked["moves"]))} if name in known else {"unknown": name}
    print(json.dumps(answer), flush=True)

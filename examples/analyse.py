"""Prints the engine's opinion of every position of a game in PGN: python examples/analyse.py GAME.pgn [NODES]"""

import sys
from pathlib import Path

from lozenge import Engine, Position, read_pgn


def main() -> None:
    nodes = int(sys.argv[2]) if len(sys.argv) > 2 else 50_000
    engine = Engine(hash=64)
    for game in read_pgn(Path(sys.argv[1]).read_text(encoding="utf-8")):
        moves = game.moves()
        for _ in moves:
            game.undo()
        position: Position = game
        for move in moves:
            found = engine.analyse(position, nodes=nodes)
            score = f"mate in {found.mate}" if found.cp is None else f"{found.cp / 100:+.2f}"
            best = position.san(found.best) if found.best else "-"
            print(f"{position.play(move):8} best {best:8} {score}")


if __name__ == "__main__":
    main()

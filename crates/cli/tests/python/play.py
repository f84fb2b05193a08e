"""Games of the engine, driven by python-chess' engine module in UCI and in XBoard's protocol.

python-chess knows none of these games, so its board is replaced by one that only keeps moves as texts. What is
legal is asked of a second process of the program (`go perft 1`), which never searches: every move that the
engine plays, expects or shows is looked up there.

Usage: play.py PROGRAM
"""

import subprocess
import sys

import chess.engine

GAMES = ["diagonal", "diamondback", "diamond", "doublediamond", "diamondring"]
PLIES = 24


class Move:
    """A move as a text."""

    def __init__(self, text):
        self.text = text

    def uci(self):
        return self.text

    def __eq__(self, other):
        return isinstance(other, Move) and self.text == other.text

    def __hash__(self):
        return hash(self.text)

    def __repr__(self):
        return self.text


class Board:
    """What python-chess asks of a board, without any rules."""

    uci_variant = "unset"
    xboard_variant = "unset"
    chess960 = False

    def __init__(self, fen):
        self.start = fen
        self.move_stack = []
        self.turn = fen.split()[1] == "w"

    def __eq__(self, other):
        return type(self) is type(other) and (self.start, self.move_stack) == (other.start, other.move_stack)

    def root(self):
        return type(self)(self.start)

    def fen(self, **_):
        return self.start

    def copy(self, stack=True):
        board = type(self)(self.start)
        board.turn = self.turn
        board.move_stack = list(self.move_stack) if stack else []
        return board

    def push(self, move):
        self.move_stack.append(move)
        self.turn = not self.turn

    def pop(self):
        self.turn = not self.turn
        return self.move_stack.pop()

    def parse_uci(self, text):
        return Move(text)

    def push_uci(self, text):
        move = Move(text)
        self.push(move)
        return move

    parse_xboard = parse_uci
    push_xboard = push_uci

    def xboard(self, move):
        return move.text


def board_of(variant):
    """The class of boards of a game."""
    return type(variant.title(), (Board,), {"uci_variant": variant, "xboard_variant": variant})


class Arbiter:
    """Says what is legal."""

    def __init__(self, program, variant):
        self.process = subprocess.Popen(
            [program, "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.send(f"setoption name UCI_Variant value {variant}")
        self.start = self.until("info string variant").split(" startpos ")[1]

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def until(self, start):
        for line in self.process.stdout:
            if line.startswith(start):
                return line.strip()
        raise AssertionError(f"the arbiter has ended before `{start}`")

    def legal(self, moves):
        """The legal moves after these."""
        self.send(" ".join(["position", "startpos", "moves", *moves]))
        self.send("go perft 1")
        legal = []
        for line in self.process.stdout:
            if line.startswith("Nodes searched"):
                return legal
            assert not line.startswith("info string"), f"{moves}: {line}"
            if ": " in line:
                legal.append(line.split(":")[0])
        raise AssertionError("the arbiter has ended")

    def placement(self, moves):
        """Who stands where after these, and whose turn it is."""
        self.send(" ".join(["position", "startpos", "moves", *moves]))
        self.send("d")
        return self.until("Fen:").split()[1:3]

    def close(self):
        self.send("quit")
        assert self.process.wait(timeout=10) == 0


def check_line(arbiter, board, line, what):
    """Every move of a line is legal where it is played."""
    moves = [move.text for move in board.move_stack]
    for move in line:
        legal = arbiter.legal(moves)
        assert move.text in legal, f"{what}: {move.text} after {moves}, legal: {legal}"
        moves.append(move.text)


def is_repeated(arbiter, board):
    """Whether the position stands there for the third time."""
    moves = [move.text for move in board.move_stack]
    seen = [arbiter.placement(moves[:ply]) for ply in range(len(moves) + 1)]
    return seen.count(seen[-1]) >= 3


def play_game(engine, arbiter, variant, limits, in_uci):
    """A game of the engine against itself, with pondering on every other move."""
    board = board_of(variant)(arbiter.start)
    game = object()
    for ply in range(PLIES):
        if not arbiter.legal([move.text for move in board.move_stack]):
            break
        limit = limits[ply % len(limits)]
        result = engine.play(board, limit, game=game, info=chess.engine.INFO_ALL, ponder=ply % 2 == 0)
        if result.move is None:
            # By XBoard's protocol the engine may claim a draw instead of moving.
            assert not in_uci and is_repeated(arbiter, board), f"{variant}: no move at ply {ply}"
            break
        check_line(arbiter, board, [result.move], variant)
        info = result.info
        if in_uci or ply % 2:
            # In XBoard's protocol thinking on the opponent's time may already have come.
            check_line(arbiter, board, info.get("pv", []), f"{variant} pv")
        assert info["depth"] >= 1 and info["nodes"] >= 1, info
        assert "score" in info, info
        board.push(result.move)
        if result.ponder is not None:
            check_line(arbiter, board, [result.ponder], f"{variant} ponder")
    return len(board.move_stack)


def uci_games(program):
    with chess.engine.SimpleEngine.popen_uci([program, "engine"], timeout=30) as engine:
        assert engine.id["name"].startswith("Lozenge"), engine.id
        for name in ["Hash", "Threads", "MultiPV", "Ponder", "Skill Level", "UCI_LimitStrength", "UCI_Elo",
                     "UCI_AnalyseMode", "UCI_ShowWDL", "VariantPath", "UCI_Variant"]:
            assert name in engine.options, name
        engine.configure({"Hash": 4, "Move Overhead": 5, "UCI_ShowWDL": True})
        limits = [
            chess.engine.Limit(nodes=2000),
            chess.engine.Limit(depth=4),
            chess.engine.Limit(time=0.02),
            chess.engine.Limit(white_clock=2, black_clock=2, white_inc=0.01, black_inc=0.01),
            chess.engine.Limit(white_clock=2, black_clock=2, remaining_moves=5),
        ]
        for variant in GAMES:
            arbiter = Arbiter(program, variant)
            plies = play_game(engine, arbiter, variant, limits, True)
            print(f"uci {variant}: {plies} plies")
            analyze(engine, arbiter, variant)
            arbiter.close()


def analyze(engine, arbiter, variant):
    """Several lines at once, each with its chances; then a search of one move only."""
    board = board_of(variant)(arbiter.start)
    infos = engine.analyse(board, chess.engine.Limit(depth=4), multipv=3)
    assert len(infos) == 3, infos
    # The library reads lines only as far as their squares are on a board of eight by eight.
    if variant in ["diagonal", "diamondback"]:
        assert len({info["pv"][0].text for info in infos}) == 3, infos
    for number, info in enumerate(infos, start=1):
        assert info["multipv"] == number, info
        check_line(arbiter, board, info.get("pv", []), f"{variant} analysis")
        chances = info["wdl"].relative
        assert chances.wins + chances.draws + chances.losses == 1000, info
    only = Move(sorted(arbiter.legal([]))[0])
    result = engine.play(board, chess.engine.Limit(depth=3), root_moves=[only])
    assert result.move == only, result
    with engine.analysis(board) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 3:
                analysis.stop()
    assert analysis.wait().move is not None


def xboard_games(program):
    with chess.engine.SimpleEngine.popen_xboard([program, "engine"], timeout=30) as engine:
        engine.configure({"memory": 4})
        limits = [chess.engine.Limit(depth=4), chess.engine.Limit(time=0.02)]
        for variant in GAMES:
            arbiter = Arbiter(program, variant)
            plies = play_game(engine, arbiter, variant, limits, False)
            print(f"xboard {variant}: {plies} plies")
            with engine.analysis(board_of(variant)(arbiter.start)) as analysis:
                for info in analysis:
                    if info.get("depth", 0) >= 3:
                        analysis.stop()
            arbiter.close()


def main():
    program = sys.argv[1]
    uci_games(program)
    xboard_games(program)
    print(f"python-chess {chess.__version__}: all games played")


if __name__ == "__main__":
    main()

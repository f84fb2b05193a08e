"""The package as its users see it."""

import threading
import time
from pathlib import Path

import pytest

import lozenge
from lozenge import Engine, LozengeError, Position, Variant

ROOT = Path(__file__).resolve().parents[3]


def test_games_are_known():
    assert {"diamond", "diagonal", "diamondring", "chess"} <= set(lozenge.variants())
    diamond = Variant("diamond")
    assert diamond.name == "Diamond Chess"
    assert len(diamond.squares) == 40
    assert diamond.pieces["K"] == "King"
    assert diamond == Variant(ROOT / "variants" / "diamond.toml")
    assert hash(diamond) == hash(Variant("diamond"))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Variant("dimond"), "dimond"),
        (lambda: Variant("nowhere/game.toml"), "nowhere/game.toml: "),
        (lambda: Variant.parse("id = 3"), "<text>:1:6: "),
        (lambda: Position("diamond", "8/8 w - - 0 1"), "expected"),
        (lambda: Position("chess").play("e2e5"), "e2e5"),
        (lambda: Position("chess").san("e9e5"), "e9e5"),
        (lambda: Position("chess").undo(), "expected a move"),
        (lambda: Position("chess").piece_at("z1"), "expected a square"),
        (lambda: Engine().analyse(Position("chess")), "expected a limit"),
        (lambda: Engine(level=99), "expected a level"),
        (lambda: lozenge.read_pgn('[Variant "none"]\n\n1. e4 *'), "Variant"),
        (lambda: lozenge.import_ini("[x:xiangqi]"), "xiangqi"),
    ],
)
def test_faults_have_the_messages_of_the_command_line(call, message):
    with pytest.raises(LozengeError) as raised:
        call()
    assert message in str(raised.value)


def test_all_faults_of_a_file_are_reported():
    with pytest.raises(LozengeError) as raised:
        Variant(ROOT / "testdata" / "protocol" / "games" / "broken.toml")
    assert len(str(raised.value).splitlines()) > 1


def test_moves_and_texts():
    position = Position("chess")
    assert len(position.legal_moves()) == 20
    assert position.play("e2e4") == "e4"
    assert position.play("Nf6") == "Nf6"
    assert position.moves() == ["e2e4", "g8f6"]
    assert position.uci("e5") == "e4e5"
    assert position.san("b1c3") == "Nc3"
    assert position.turn == "white"
    assert position.piece_at("f6") == "n"
    assert position.piece_at("g8") is None
    copy = position.copy()
    assert position.undo() == "g8f6"
    assert copy != position
    assert copy.fen().startswith("rnbqkb1r/pppppppp/5n2/")


def test_ends_of_games():
    won = Position("diagonal", "8/6P1/8/8/3k4/8/8/K7 w - - 0 1")
    assert won.status() == "ongoing"
    assert won.play("g7h8") == "h8#"
    assert won.status() == "goal"
    assert won.outcome() == "White wins by reaching the goal"
    assert won.legal_moves() == []
    knights = Position("chess")
    for _ in range(2):
        for move in ["g1f3", "g8f6", "f3g1", "f6g8"]:
            knights.play(move)
    assert knights.outcome() is None
    assert knights.outcome(claim=True) == "draw by repetition"


def test_perft_is_that_of_the_table():
    assert Position("chess").perft(3) == 8902
    assert Position("diamondring").perft(3) == 186491


def test_pictures():
    drawn = Position("diamond").svg(theme="dark", flipped=True)
    assert drawn.startswith("<svg ")
    assert drawn != Position("diamond").svg()
    with pytest.raises(LozengeError):
        Position("diamond").svg(theme="green")


def test_pgn_goes_there_and_back():
    position = Position("diamondback")
    for _ in range(6):
        position.play(position.legal_moves()[0])
    text = position.pgn(White="A", Black="B")
    assert '[White "A"]' in text
    (again,) = lozenge.read_pgn(text)
    assert again == position
    assert again.moves() == position.moves()
    own = Variant.parse('extends = "chess"\nid = "mine"\nname = "Mine"\n')
    mine = Position(own)
    mine.play("e2e4")
    assert lozenge.read_pgn(mine.pgn(), [own])[0].moves() == ["e2e4"]


FOUR = """[Event "Four friends"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[Red "a"]
[Blue "b"]
[Yellow "c"]
[Green "d"]
[Result "1-4-3-2"]
[Variant "Diamond Ring for Four"]

1. b1 $1 R (1... a2 { Slower. }) 1... T R 1-4-3-2

"""


def test_games_of_four_are_played():
    assert {"diamondring-four", "diamondring-teams"} <= set(lozenge.variants())
    position = Position("diamondring-four")
    assert position.fen() == Variant("diamondring-four").starts[0]
    assert (position.turn, len(position.legal_moves()), position.perft(2)) == ("red", 26, 679)
    assert (position.piece_at("g1"), position.piece_at("a7")) == ("rK", "bK")
    assert position.play("c1b1") == "b1"
    assert (position.turn, position.status()) == ("blue", "ongoing")
    copy = position.copy()
    assert [copy.play("R"), copy.play("T"), copy.play("R")] == ["R", "T", "R"]
    assert copy.moves() == ["c1b1", "R", "T", "R"]
    assert (copy.status(), copy.legal_moves()) == ("decided", [])
    assert copy.outcome() == "Red wins: places 1-4-3-2"
    with pytest.raises(LozengeError, match="expected"):
        copy.play("R")
    assert copy.undo() == "R" and copy.turn == "green" and copy.outcome() is None
    assert position.svg(theme="dark").startswith("<svg ")
    teams = Position("diamondring-teams")
    teams.play("R")
    assert teams.outcome() == "Blue and Green win"
    with pytest.raises(LozengeError, match="found `R`"):
        Position("chess").play("R")
    for variant, number in (("threearmies", "three"), ("diamondring-four", "four")):
        with pytest.raises(LozengeError, match=f"found one of {number}"):
            lozenge.export_ini(Variant(variant))


def test_games_of_four_are_read_from_pgn():
    (game,) = lozenge.read_pgn(FOUR)
    assert game.moves() == ["c1b1", "R", "T", "R"]
    assert game.pgn() == FOUR
    assert '[Green "e"]' in game.pgn(Green="e")
    game.undo()
    assert game.pgn().endswith("1. b1 $1 R (1... a2 { Slower. }) 1... T *\n\n")
    own = Variant.parse('extends = "diamondring-teams"\nid = "mine"\nname = "Mine"\n')
    mine = Position(own)
    mine.play("c1b1")
    (again,) = lozenge.read_pgn(mine.pgn(), [own])
    assert (again.moves(), again.variant.id) == (["c1b1"], "mine")
    two = lozenge.read_pgn(FOUR + PGN + FOUR)
    assert [game.turn for game in two] == ["red", "black", "red"]


def test_the_engine_plays_games_of_four():
    position = Position("diamondring-four")
    found = Engine(hash=1).analyse(position, nodes=500, multipv=2)
    assert found.best in position.legal_moves() and len(found.lines) == 2
    assert Engine(level=0).analyse(position, nodes=500).best in position.legal_moves()


PGN = """[Event "Rated blitz game"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "a"]
[Black "b"]
[Result "1-0"]
[Variant "Standard"]
[WhiteElo "1500"]

{ Before. } 1. e4 $1 { King's pawn. } 1... e5 (1... c5 2. Nf3) 2. Nf3 1-0

"""


def test_a_game_read_keeps_what_was_written_to_it():
    (game,) = lozenge.read_pgn(PGN)
    assert game.pgn() == PGN
    assert '[White "c"]' in game.pgn(White="c")
    game.play("Nc6")
    assert game.pgn().endswith("2. Nf3 Nc6 *\n\n") and '[Result "*"]' in game.pgn()
    assert "(1... c5 2. Nf3)" in game.copy().pgn()


def test_a_faulty_game_does_not_lose_the_file():
    text = PGN + PGN.replace("e5", "e6e9") + PGN.replace("Standard", "none") + PGN
    with pytest.warns(UserWarning, match="e6e9"):
        assert len(lozenge.read_pgn(text)) == 2
    faults = []
    assert len(lozenge.read_pgn(text, on_fault=faults.append)) == 2
    assert len(faults) == 2 and "none" in faults[1]
    unknown = PGN.replace("2. Nf3 1-0", "2. Nf3 *")
    assert lozenge.read_pgn(unknown)[0].pgn() == PGN
    with pytest.raises(LozengeError, match="Result"):
        lozenge.read_pgn(PGN.replace("2. Nf3 1-0", "2. Nf3 0-1"))


def test_the_engine_finds_the_win():
    engine = Engine(hash=1)
    found = engine.analyse(Position("diagonal", "8/6P1/8/8/3k4/8/8/K7 w - - 0 1"), depth=3)
    assert (found.best, found.mate, found.cp) == ("g7h8", 1, None)
    lines = engine.analyse(Position("diamond"), nodes=2000, multipv=3).lines
    assert len(lines) == 3
    assert lines[0].moves[0] in Position("diamond").legal_moves()
    weak = Engine(level=0).analyse(Position("diamond"), nodes=2000)
    assert weak.best in Position("diamond").legal_moves()
    over = Position("chess", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
    assert engine.analyse(over, depth=1).best is None


def test_a_search_lets_other_threads_run():
    ticks = 0
    done = threading.Event()

    def count():
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    Engine(hash=1).analyse(Position("diamondring"), nodes=100_000)
    Position("diamondring").perft(3)
    done.set()
    counter.join()
    assert ticks > 1


def test_ini_goes_there_and_back():
    text, named = lozenge.import_ini("[lake:capablanca]\npieceDrops = true\n")
    assert Variant.parse(text).id == "lake"
    assert named == ["line 2: `pieceDrops`: pieces are never dropped"]
    section, missing = lozenge.export_ini(Variant("chess"))
    assert section.startswith("# Chess\n[chess]\n")
    assert missing == []

"""Chess on diamond boards: the games of Lozenge, their exact rules and its engine."""

from collections.abc import Callable
from os import PathLike
from typing import Literal, final

__version__: str

Status = Literal["ongoing", "check", "checkmate", "goal", "stalemate", "dead", "decided"]
Color = Literal["white", "black", "red", "blue", "yellow", "green"]

class LozengeError(ValueError):
    """Not a game, position or move. The message is that of the command line."""

def variants() -> list[str]:
    """The ids of the built-in games."""

@final
class Variant:
    """A game: its board, pieces and rules. It never changes."""

    def __init__(self, id_or_path: str | PathLike[str]) -> None:
        """The built-in game with this id, or the game of a variant file, for two to four players."""
    @staticmethod
    def parse(text: str) -> Variant:
        """The game of a variant file's text. Raises with every fault, one a line."""
    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def squares(self) -> list[str]:
        """The names of the squares."""
    @property
    def pieces(self) -> dict[str, str]:
        """The names of the pieces by their letters."""
    @property
    def starts(self) -> list[str]:
        """The starting positions as FEN."""
    @property
    def text(self) -> str:
        """The variant file."""

@final
class Position:
    """A position, and the moves that led to it."""

    def __init__(self, variant: Variant | str, fen: str | None = None) -> None:
        """A position of the game: its first start, or that of a FEN."""
    @property
    def variant(self) -> Variant: ...
    @property
    def turn(self) -> Color:
        """The player to move: with two players white or black, otherwise the color of a seat."""
    def fen(self) -> str: ...
    def legal_moves(self) -> list[str]:
        """The legal moves in long algebraic form, sorted."""
    def play(self, move: str) -> str:
        """Plays a move, in long algebraic form or SAN, and returns it as SAN. With four players `R` resigns and `T` is a time-out."""
    def undo(self) -> str:
        """Takes the last move back and returns it in long algebraic form."""
    def moves(self) -> list[str]:
        """The moves so far in long algebraic form."""
    def san(self, move: str) -> str:
        """The SAN of a move in long algebraic form."""
    def uci(self, move: str) -> str:
        """The long algebraic form of a move in SAN."""
    def status(self) -> Status:
        """The state of the position by itself, without the moves before it."""
    def outcome(self, claim: bool = False) -> str | None:
        """The end of the game, or `None`; with `claim` also a draw that could be claimed."""
    def is_check(self) -> bool: ...
    def piece_at(self, square: str) -> str | None:
        """The letter of the piece on a square: capitals are White's. With four players after the letter of its owner, as in FEN."""
    def perft(self, depth: int) -> int:
        """The number of sequences of `depth` legal moves."""
    def svg(self, *, theme: Literal["light", "dark", "clear"] = "light", flipped: bool = False, coordinates: bool = True) -> str:
        """A picture of the position."""
    def pgn(self, **tags: str) -> str:
        """The game so far as PGN. A game of `read_pgn` keeps its tags, comments, variations and result."""
    def copy(self) -> Position: ...
    def __eq__(self, other: object) -> bool: ...

@final
class Line:
    """A line of play that the engine found."""

    @property
    def moves(self) -> list[str]: ...
    @property
    def cp(self) -> int | None:
        """Centipawns, for the side to move; `None` where `mate` is given."""
    @property
    def mate(self) -> int | None:
        """Moves to the win; negative, and 0, to the loss."""

@final
class Analysis:
    """The result of a search."""

    @property
    def best(self) -> str | None:
        """The best move; `None` where the game is over."""
    @property
    def cp(self) -> int | None: ...
    @property
    def mate(self) -> int | None: ...
    @property
    def depth(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def lines(self) -> list[Line]:
        """The best lines, the best one first."""

@final
class Engine:
    """The engine with its memory. Searches release the GIL, and Ctrl-C ends them."""

    def __init__(self, *, hash: int = 16, threads: int = 1, level: int | None = None) -> None:
        """An engine with a transposition table of `hash` MiB. Levels go from 0, the weakest; without one it plays at full strength."""
    def analyse(
        self,
        position: Position,
        *,
        nodes: int | None = None,
        movetime: int | None = None,
        depth: int | None = None,
        multipv: int = 1,
    ) -> Analysis:
        """Searches until a limit is reached: nodes, milliseconds or plies. One of them must be given."""
    def clear(self) -> None:
        """Clears the memory of earlier searches."""

def read_pgn(
    text: str, variants: list[Variant] = ..., *, on_fault: Callable[[str], object] | None = None
) -> list[Position]:
    """The games of a PGN at their last positions. `variants` are games besides the built-in ones.

    A faulty game is left out. `on_fault` is called with its faults; without it they are a warning, or an error if no
    game is left.
    """

def import_ini(text: str, name: str | None = None) -> tuple[str, list[str]]:
    """A variant file for a section of Fairy-Stockfish's `variants.ini`, and what could not be translated."""

def export_ini(variant: Variant) -> tuple[str, list[str]]:
    """A section of `variants.ini` for a game, and what could not be translated."""

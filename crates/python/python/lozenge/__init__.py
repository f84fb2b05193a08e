"""Chess on diamond boards: the games of Lozenge, their exact rules and its engine."""

from ._lozenge import (
    Analysis,
    Engine,
    Line,
    LozengeError,
    Position,
    Variant,
    __version__,
    export_ini,
    import_ini,
    read_pgn,
    variants,
)

__all__ = [
    "Analysis",
    "Engine",
    "Line",
    "LozengeError",
    "Position",
    "Variant",
    "__version__",
    "export_ini",
    "import_ini",
    "read_pgn",
    "variants",
]

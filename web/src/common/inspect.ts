/** Lets a board explain its pieces. The texts are loaded when the user first asks about a piece. Not here: their content. */
import type { Inspection, LozBoard } from "../board/index.ts";
import type { BoardEvents } from "../board/types.ts";

let latest: Inspection | null = null;

/** Shows what the user asks about, or closes it. */
export async function inspect(board: LozBoard, inspection: Inspection | null): Promise<void> {
  const isOpen = latest !== null;
  latest = inspection;
  if (!inspection && !isOpen) return;
  const { pieceCard } = await import("../rules/piece_card.ts");
  // Meanwhile the user may ask about another piece.
  if (latest !== inspection) return;
  if (inspection) await pieceCard.open(board, inspection);
  else pieceCard.close();
}

/** Makes a board explain its pieces. */
export function explainPieces(board: LozBoard): void {
  board.inspectable = true;
  board.addEventListener("inspect", (event) => {
    void inspect(board, (event as CustomEvent<BoardEvents["inspect"]>).detail.inspection);
  });
}

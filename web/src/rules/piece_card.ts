/**
 * The card of a piece: its name, its moves on a small board, and how it moves in words. There is one for all boards of a page.
 * Not here: when it opens (`board/gestures`).
 */
import "../../styles/piece_card.css";
import type { Inspection, LozBoard } from "../board/index.ts";
import { errorText } from "../common/errors.ts";
import { element } from "../common/page.ts";
import { placeCard } from "./card_place.ts";
import { fetchDiagram } from "./diagram.ts";
import { drawnSquare, fetchRules, rulesOf } from "./game_rules.ts";
import { PieceDrawing } from "./piece_drawing.ts";

class PieceCard {
  readonly #name = element("strong");
  readonly #text = element("p");
  readonly #drawing = new PieceDrawing();
  /** The same in words, for screen readers. */
  readonly #element = element(
    "div",
    { class: "piece-card", "aria-hidden": "true" },
    this.#drawing.element,
    element("div", {}, this.#name, this.#text),
  );
  #board: LozBoard | null = null;
  #inspection: Inspection | null = null;
  #listeners = new AbortController();

  async open(board: LozBoard, inspection: Inspection): Promise<void> {
    this.close();
    const geometry = board.board;
    if (!geometry) return;
    [this.#board, this.#inspection] = [board, inspection];
    const { piece, trigger } = inspection;
    this.#listen();
    try {
      const rules = (await fetchRules(geometry)).pieces.find(({ role }) => role === piece.role);
      if (!rules) return;
      const text = rules.moves.join(" ");
      if (trigger === "key") board.announce(`${rules.name}. ${text}`);
      const square = drawnSquare(rules, piece.square);
      const diagram = await fetchDiagram(rulesOf(geometry), piece.role, square, piece.color);
      if (this.#inspection !== inspection) return;
      this.#name.textContent = rules.name;
      this.#text.textContent = text;
      this.#place(board, inspection);
      const { role, color } = piece;
      await this.#drawing.show(geometry, { role, color, square, view: board.view ?? geometry.view, turns: board.turns }, diagram);
    } catch (error) {
      if (this.#inspection !== inspection) return;
      // A card that opens by itself is not worth a message.
      if (trigger === "key") board.announce(errorText(error));
    }
  }

  #place(board: LozBoard, inspection: Inspection): void {
    const card = this.#element;
    card.dataset.trigger = inspection.trigger;
    document.body.append(card);
    const { offsetWidth: width, offsetHeight: height } = card;
    const { left: start, width: extent } = board.getBoundingClientRect();
    const isLeft = inspection.center[0] < start + extent / 2;
    const window = { width: document.documentElement.clientWidth, height: innerHeight };
    const [left, top] = placeCard({ width, height }, { ...inspection, isLeft }, window);
    card.style.left = `${left}px`;
    card.style.top = `${top}px`;
  }

  /** Closes the card where it no longer belongs to what is on the screen. */
  #listen(): void {
    this.#listeners = new AbortController();
    const { signal } = this.#listeners;
    addEventListener("scroll", () => this.dismiss(), { signal, capture: true, passive: true });
    addEventListener("resize", () => this.dismiss(), { signal });
    addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        this.dismiss();
      },
      { signal, capture: true },
    );
    // After a long press the browser sends a click to what is now under the finger.
    let isPressed = false;
    const isInside = (event: Event): boolean => event.composedPath().includes(this.#element);
    const onPress = (event: Event): void => {
      isPressed = isInside(event);
      if (!isPressed) this.dismiss();
    };
    addEventListener("pointerdown", onPress, { signal, capture: true });
    addEventListener("click", (event) => isPressed && isInside(event) && this.dismiss(), { signal, capture: true });
  }

  /** Closed by the user. */
  dismiss(): void {
    const board = this.#board;
    this.close();
    board?.endInspection();
  }

  close(): void {
    this.#listeners.abort();
    this.#element.remove();
    this.#board = null;
    this.#inspection = null;
  }
}

export const pieceCard = new PieceCard();

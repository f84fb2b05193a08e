/**
 * The styles of the board. Colors are custom properties, so that a page can set its own; the named themes set all of
 * them. Marks also differ in shape. `light-dark()` follows the page's `color-scheme`.
 */

const THEMES = `
:host {
  --loz-light: light-dark(#ece5e1, #c9bfca); --loz-dark: light-dark(#a592b0, #7d6b8c);
  --loz-middle: color-mix(in srgb, var(--loz-light), var(--loz-dark));
  --loz-frame: light-dark(#5b4a68, #0f0d13); --loz-label: light-dark(#6a5a76, #b3a7ba);
  --loz-page: var(--page, light-dark(#fbf8f4, #1b1820));
  --loz-last: light-dark(#f0b429, #eda91c); --loz-check: #dd1f48; --loz-dot: light-dark(#0f5e6b, #083f4a);
  --loz-chosen: #12808f; --loz-premove: #3e63dd; --loz-focus: light-dark(#1f4fd8, #8fb0ff);
  --loz-surface: light-dark(#fffdf9, #2b2632); --loz-ink: light-dark(#2a2033, #f0eaf2);
}
:host([theme="oak"]) {
  --loz-light: light-dark(#f0dfc0, #d9c29c); --loz-dark: light-dark(#bd8f5e, #97703f);
  --loz-frame: light-dark(#6b4a26, #1c130a); --loz-label: light-dark(#7a5a34, #c4a983);
  --loz-last: light-dark(#a7c23c, #93ad2c); --loz-dot: light-dark(#274d2e, #1c3a22); --loz-chosen: #2f7d4f;
}
:host([theme="lake"]) {
  --loz-light: light-dark(#e3ebf0, #bccad4); --loz-dark: light-dark(#86a4b8, #5f7f95);
  --loz-frame: light-dark(#3c5568, #0b1218); --loz-label: light-dark(#4e687c, #9fb4c3);
  --loz-last: light-dark(#f2c14e, #e2ab2d); --loz-dot: light-dark(#7a2f5d, #5d1f45); --loz-chosen: #8a3a6b;
}
:host([theme="contrast"]) {
  --loz-light: #ffffff; --loz-dark: #9a9a9a; --loz-frame: #000000; --loz-label: light-dark(#000, #fff);
  --loz-last: #ffc400; --loz-dot: #000000; --loz-chosen: #0047ff; --loz-check: #c4002b; --loz-premove: #0047ff;
}
`;

const LAYERS = `
:host { display: block; position: relative; -webkit-tap-highlight-color: transparent; }
:host([hidden]) { display: none; }
.container { position: relative; container-type: inline-size; }
.frame { position: relative; width: 100%; user-select: none; -webkit-user-select: none; -webkit-touch-callout: none; touch-action: pan-y; outline: none; }
:host(:not([movable])) .frame:not(.endless), :host([movable="none"]) .frame:not(.endless) { touch-action: pan-y pinch-zoom; }
:host([placing]) .frame { touch-action: pan-y pinch-zoom; cursor: pointer; }
:host([static]) .frame { touch-action: auto; pointer-events: none; }
.viewport, .scrolled, .scrolled > svg, .frame > svg { position: absolute; inset: 0; width: 100%; height: 100%; }
.endless .viewport { overflow: clip; }
.scrolled > svg, .frame > svg { display: block; overflow: visible; pointer-events: none; }
.frame[data-cursor="grab"] { cursor: grab; }
.frame[data-cursor="grabbing"] { cursor: grabbing; }
.frame[data-cursor="pointer"] { cursor: pointer; }
.cells-layer { will-change: transform; }
.scrolling .scrolled { will-change: transform; }
`;

const CELLS = `
.cells .frame { fill: var(--loz-light); stroke: var(--loz-frame); stroke-width: 9; stroke-linejoin: round; }
.turn { display: none; fill: none; stroke: light-dark(var(--turn), color-mix(in srgb, var(--turn) 78%, #fff)); stroke-width: 20; stroke-linejoin: round; }
.has-turn .turn { display: block; } .cells.has-turn .frame { stroke-width: 27; }
.cell { stroke-width: 1; stroke-linejoin: round; }
.light { fill: var(--loz-light); stroke: var(--loz-light); }
.middle { fill: var(--loz-middle); stroke: var(--loz-middle); }
.dark { fill: var(--loz-dark); stroke: var(--loz-dark); }
.veil { fill: var(--loz-page); fill-opacity: .52; }
.edge { fill: none; stroke: var(--loz-frame); stroke-width: 4; stroke-opacity: .35; stroke-linejoin: round; }
.outline { fill: none; stroke: var(--loz-frame); stroke-width: 5; stroke-linejoin: round; stroke-dasharray: 14 10; stroke-opacity: .75; }
.labels text { fill: var(--loz-label); font: 600 29px/1 var(--loz-font, system-ui, sans-serif); font-size: var(--label, 29px); text-anchor: middle; dominant-baseline: central; }
`;

const MARKS = `
.mark { stroke-linejoin: round; }
.last-from { fill: var(--loz-last); fill-opacity: .42; }
.last-to { fill: var(--loz-last); fill-opacity: .66; }
.last-edge { fill: none; stroke: color-mix(in srgb, var(--loz-last) 62%, #000); stroke-width: 5; stroke-opacity: .75; }
.area { fill: var(--loz-chosen); fill-opacity: .3; stroke: var(--loz-chosen); stroke-width: 3; stroke-dasharray: 10 7; }
.premove { fill: var(--loz-premove); fill-opacity: .38; stroke: var(--loz-premove); stroke-width: 3; stroke-dasharray: 12 8; }
.selected { fill: var(--loz-chosen); fill-opacity: .34; stroke: var(--loz-chosen); stroke-width: 5; }
.drop-target { fill: var(--loz-chosen); fill-opacity: .22; stroke: var(--loz-chosen); stroke-width: 6; }
.check { fill: var(--loz-check); fill-opacity: .5; }
.check-edge { fill: none; stroke: var(--loz-check); stroke-width: 6; }
.dots, .rings, .own { fill: var(--loz-dot); fill-opacity: .82; }
.pre-dots, .pre-rings { fill: var(--loz-premove); fill-opacity: .85; }
.reach-dots, .reach-rings { fill: var(--loz-ink-mark, #2a2033); fill-opacity: .62; }
.goal, .promotion { fill: var(--loz-dot); fill-opacity: .85; }
.brush { fill-opacity: .72; stroke: #fff; stroke-opacity: .55; stroke-width: 2; stroke-linejoin: round; }
.green { fill: #15781b; } .red { fill: #b3261e; } .blue { fill: #1a4fb5; } .yellow { fill: #d49a00; }
`;

const PIECES = `
.moving-pieces { position: absolute; inset: 0; pointer-events: none; }
.moving-pieces .piece { position: absolute; left: 0; top: 0; }
.moving-pieces .moving { will-change: transform; }
.moving-pieces .fading-in, .moving-pieces .fading-out { will-change: opacity; }
.moving-pieces svg { display: block; width: 100%; height: 100%; overflow: visible; }
.piece.arriving { visibility: hidden; }
.piece.dragged { opacity: .32; }
.premove-ghost { opacity: .8; }
.drag-ghost { position: absolute; left: 0; top: 0; pointer-events: none; will-change: transform; z-index: 4; filter: drop-shadow(0 2px 3px rgb(0 0 0 / .35)); }
.drag-ghost[hidden] { display: none; }
.loupe { position: absolute; left: 0; top: 0; z-index: 5; overflow: hidden; border-radius: 50%; pointer-events: none; background: var(--loz-page); box-shadow: 0 0 0 2px var(--loz-frame), 0 6px 22px rgb(0 0 0 / .45); will-change: transform; }
.loupe[hidden] { display: none; }
.loupe svg { display: block; width: 100%; height: 100%; }
.drag-ghost svg { width: 100%; height: 100%; overflow: visible; display: block; }
`;

const GRID = `
.grid { position: absolute; inset: 0; pointer-events: none; }
.grid [role="row"] { display: contents; }
.grid [role="gridcell"] { position: absolute; outline: none; }
.grid.turned [role="gridcell"]:focus-visible { transform: rotate(45deg); }
.grid [role="gridcell"]:focus-visible { box-shadow: inset 0 0 0 3px var(--loz-focus), inset 0 0 0 4.5px #fff; border-radius: 2px; }
.grid.hexagons [role="gridcell"]:focus-visible { border-radius: 50%; }
.live-region { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;

const CHOOSER = `
.chooser { position: absolute; z-index: 6; display: flex; flex-wrap: wrap; justify-content: center; gap: 4px; max-width: 100%; padding: 6px; box-sizing: border-box; border-radius: 10px; background: var(--loz-surface); color: var(--loz-ink); box-shadow: 0 0 0 1px rgb(0 0 0 / .18), 0 8px 28px rgb(0 0 0 / .35); touch-action: manipulation; }
.chooser[hidden] { display: none; }
.chooser button { all: unset; box-sizing: border-box; display: grid; justify-items: center; gap: 1px; min-width: var(--size); padding: 3px 4px 4px; background: var(--loz-light); border-radius: 7px; cursor: pointer; color: #2a2033; font: 500 11.5px/1.15 var(--loz-font, system-ui, sans-serif); text-align: center; max-width: calc(var(--size) * 1.5); }
.chooser button svg { width: var(--size); height: var(--size); overflow: visible; }
.chooser button:focus { background: color-mix(in srgb, var(--loz-chosen) 30%, var(--loz-light)); box-shadow: inset 0 0 0 2px var(--loz-chosen); }
`;

const CONTROLS = `
.scroll-buttons { display: flex; justify-content: center; gap: 4px; margin-top: 6px; }
.scroll-buttons.corner { position: absolute; right: 0; bottom: 0; margin: 0; display: grid; grid-template-columns: repeat(3, auto); gap: 0; pointer-events: none; }
.scroll-buttons[hidden], .scroll-buttons button[hidden] { display: none; }
.scroll-buttons button { all: unset; box-sizing: border-box; width: 44px; height: 40px; display: grid; place-items: center; border-radius: 8px; color: var(--loz-label); cursor: pointer; }
/* Squares between the buttons are pressed like others. */
.scroll-buttons.corner button { pointer-events: auto; width: clamp(24px, 10.2cqw, 40px); height: clamp(24px, 10.2cqw, 40px); border-radius: 12px; }
.scroll-buttons button { touch-action: manipulation; user-select: none; -webkit-user-select: none; }
.scroll-buttons button:hover { background: color-mix(in srgb, var(--loz-label) 18%, transparent); }
.scroll-buttons button:focus-visible { box-shadow: inset 0 0 0 2.5px var(--loz-focus); }
.scroll-buttons button:disabled { opacity: .35; cursor: default; }
.scroll-buttons svg { width: 20px; height: 20px; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.scroll-buttons.corner [data-scroll="up"] { grid-area: 1 / 2; } .scroll-buttons.corner [data-scroll="left"] { grid-area: 2 / 1; }
.scroll-buttons.corner [data-scroll="center"] { grid-area: 2 / 2; } .scroll-buttons.corner [data-scroll="right"] { grid-area: 2 / 3; }
.scroll-buttons.corner [data-scroll="down"] { grid-area: 3 / 2; }
.hint { box-sizing: border-box; max-width: 36em; margin: 10px auto 0; padding: 10px 12px 10px 14px; border-radius: 10px; background: var(--loz-surface); color: var(--loz-ink); font: 400 14px/1.4 var(--loz-font, system-ui, sans-serif); box-shadow: 0 0 0 1px rgb(0 0 0 / .15); display: flex; gap: 12px; align-items: center; }
.hint { flex-wrap: wrap; justify-content: flex-end; } .hint span { flex: 1 1 17rem; }
.hint[hidden] { display: none; }
.hint button { all: unset; touch-action: manipulation; box-sizing: border-box; flex: none; display: inline-flex; align-items: center; min-height: 40px; padding: 8px 12px; border-radius: 7px; cursor: pointer; background: var(--loz-chosen); color: #fff; font-weight: 600; }
.hint button:focus-visible { box-shadow: 0 0 0 2.5px var(--loz-focus); }
@media (forced-colors: active) { .selected, .check-edge, .drop-target { stroke: Highlight; } }
`;

let sheet: CSSStyleSheet | null = null;

/** One sheet for all boards of a page; constructed, as a strict content policy requires. */
export function styleSheet(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(THEMES + LAYERS + CELLS + MARKS + PIECES + GRID + CHOOSER + CONTROLS);
  }
  return sheet;
}

/** The bar at the top of every page: the current page, and the preferences for appearance, sound and language. */
import type { LozBoard } from "../board/index.ts";
import { element, icon } from "./page.ts";
import {
  type Animation,
  animation,
  ANIMATIONS,
  BOARDS,
  type BoardColors,
  boardColors,
  mustConfirmActions,
  mustConfirmMoves,
  applyToBoard,
  saveSettings,
  LANGUAGES,
  PIECES,
  pieceSet,
  type PieceSet,
  setAnimation,
  setConfirmActions,
  setConfirmMoves,
  setPieceSet,
  setZen,
  isZen,
  type Settings,
  setBoardColors,
  setSound,
  setTheme,
  isSoundOn,
  type Theme,
  THEMES,
  theme,
  onSoundChange,
} from "./settings.ts";
import { addTexts, t } from "./texts.ts";

addTexts({
  "frame.looks": "Appearance, sound and language",
  "frame.theme": "Colors",
  "frame.theme.auto": "Auto",
  "frame.theme.light": "Light",
  "frame.theme.dark": "Dark",
  "frame.board": "Board",
  "frame.board.heather": "Heather",
  "frame.board.oak": "Oak",
  "frame.board.lake": "Lake",
  "frame.board.contrast": "Contrast",
  "frame.pieces": "Pieces",
  "frame.pieces.classic": "Classic",
  "frame.pieces.medallion": "Medallions",
  "frame.animation": "Animation",
  "frame.animation.none": "None",
  "frame.animation.fast": "Fast",
  "frame.animation.normal": "Normal",
  "frame.animation.slow": "Slow",
  "frame.confirm_moves": "Confirm moves",
  "frame.confirm": "Confirm resignation and draw offers",
  "frame.zen": "Zen mode",
  "frame.on": "On",
  "frame.off": "Off",
  "frame.sound": "Sound",
  "frame.language": "Language",
});

const root = document.documentElement;

/** The theme of the account takes precedence over the browser's. */
function applyTheme(): void {
  const fromServer = root.dataset.theme;
  if (fromServer === "light" || fromServer === "dark") setTheme(fromServer);
  else if (theme() !== "auto") setTheme(theme());
}

function markCurrentPage(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>(".ways a")) {
    const path = link.getAttribute("href") ?? "";
    const aliases = link.dataset["also"]?.split(" ") ?? [];
    const isCurrentPath = (path: string): boolean => location.pathname === path || location.pathname.startsWith(`${path}/`);
    const isCurrent = path === "/" ? location.pathname === "/" : [path, ...aliases].some(isCurrentPath);
    if (isCurrent) link.setAttribute("aria-current", "page");
  }
}

/** Closes the menu in the bar after a press elsewhere, and by Escape. */
function closeMenus(): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>(".more-ways")) {
    document.addEventListener("pointerdown", (event) => {
      if (!menu.contains(event.target as Node)) menu.open = false;
    });
    menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !menu.open) return;
      menu.open = false;
      menu.querySelector("summary")?.focus();
    });
  }
}

/** Applies the preferences to every board that is added to the page. */
function styleNewBoards(): void {
  for (const board of document.querySelectorAll("loz-board")) applyToBoard(board);
  const observer = new MutationObserver((changes) => {
    for (const change of changes) {
      for (const node of change.addedNodes) {
        if (!(node instanceof Element)) continue;
        if (node.matches("loz-board")) applyToBoard(node);
        else for (const board of node.querySelectorAll("loz-board")) applyToBoard(board);
      }
    }
  });
  observer.observe(document.body, { childList: true, subtree: true });
}

/** Radio buttons in a row. */
function choices(
  style: string,
  name: string,
  title: string,
  values: readonly (readonly [value: string, label: string])[],
  chosen: string,
  choose: (value: string) => void,
): HTMLElement {
  const row = element("div", { class: style });
  for (const [value, label] of values) {
    const input = element("input", { type: "radio", name, value });
    input.checked = value === chosen;
    input.addEventListener("change", () => choose(value));
    const swatch = style === "swatches" ? [element("span", { class: "swatch", "data-board": value })] : [];
    row.append(element("label", {}, input, ...swatch, label));
  }
  return element("fieldset", { class: "field" }, element("legend", {}, title), row);
}

function saveInBackground(change: Settings): void {
  saveSettings(change).catch((fault: unknown) => console.warn("The setting is remembered by this browser only.", fault));
}

async function setLanguage(language: string): Promise<void> {
  await saveSettings({ language }, true);
  location.reload();
}

/** An on/off setting. */
function toggle(name: string, title: string, on: boolean, onChange: (on: boolean) => void): HTMLElement {
  const values = [
    ["on", t("frame.on")],
    ["off", t("frame.off")],
  ] as const;
  const field = choices("segments", `frame-${name}`, title, values, on ? "on" : "off", (value) => onChange(value === "on"));
  field.classList.add("toggle");
  return field;
}

function panel(): HTMLElement {
  return element(
    "div",
    { class: "looks-panel" },
    choices(
      "segments",
      "frame-theme",
      t("frame.theme"),
      THEMES.map((name) => [name, t(`frame.theme.${name}`)]),
      theme(),
      (value) => {
        setTheme(value as Theme);
        saveInBackground({ theme: value === "auto" ? null : value });
      },
    ),
    choices(
      "swatches",
      "frame-board",
      t("frame.board"),
      BOARDS.map((name) => [name, t(`frame.board.${name}`)]),
      boardColors(),
      (value) => {
        setBoardColors(value as BoardColors);
        saveInBackground({ board: value });
      },
    ),
    choices(
      "segments",
      "frame-pieces",
      t("frame.pieces"),
      PIECES.map((name) => [name, t(`frame.pieces.${name}`)]),
      pieceSet(),
      (value) => {
        setPieceSet(value as PieceSet);
        saveInBackground({ pieces: value });
      },
    ),
    choices(
      "segments",
      "frame-animation",
      t("frame.animation"),
      ANIMATIONS.map((name) => [name, t(`frame.animation.${name}`)]),
      animation(),
      (value) => {
        setAnimation(value as Animation);
        saveInBackground({ animation: value });
      },
    ),
    toggle("confirm-moves", t("frame.confirm_moves"), mustConfirmMoves(document.querySelector<LozBoard>("loz-board")?.board ?? null), (on) => {
      setConfirmMoves(on);
      saveInBackground({ confirm_moves: on });
    }),
    toggle("confirm", t("frame.confirm"), mustConfirmActions(), (on) => {
      setConfirmActions(on);
      saveInBackground({ confirm: on });
    }),
    toggle("zen", t("frame.zen"), isZen(), setZen),
    toggle("sound", t("frame.sound"), isSoundOn(), (on) => {
      setSound(on);
      saveInBackground({ sound: on });
    }),
    choices(
      "segments",
      "frame-language",
      t("frame.language"),
      Object.entries(LANGUAGES),
      root.lang,
      (value) => void setLanguage(value),
    ),
  );
}

/** Follows the sound button of the game page. */
function updateSoundInput(on: boolean): void {
  const value = on ? "on" : "off";
  const input = document.querySelector<HTMLInputElement>(`input[name="frame-sound"][value="${value}"]`);
  if (input) input.checked = true;
}

function addPreferences(): void {
  const userMenu = document.querySelector(".top .who");
  if (!userMenu) return;
  // Two sliders.
  const knob = (x: number, y: number): string => `M${x} ${y - 2.5}a2.5 2.5 0 1 0 0 5a2.5 2.5 0 1 0 0-5`;
  const sliders = icon(`M3.5 7.5h8M17.5 7.5h3M3.5 16.5h3M12.5 16.5h8${knob(14.5, 7.5)}${knob(9.5, 16.5)}`);
  const summary = element("summary", { "aria-label": t("frame.looks"), title: t("frame.looks") }, sliders);
  const details = element("details", { class: "looks" }, summary);
  details.addEventListener("toggle", () => {
    details.querySelector(".looks-panel")?.remove();
    if (details.open) details.append(panel());
  });
  document.addEventListener("pointerdown", (event) => {
    if (!details.contains(event.target as Node)) details.open = false;
  });
  details.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    details.open = false;
    summary.focus();
  });
  userMenu.append(details);
}

if (document.body.dataset.user) void import("../challenges/notices.ts").catch(() => undefined);
applyTheme();
setZen(isZen());
markCurrentPage();
closeMenus();
addPreferences();
onSoundChange(updateSoundInput);
styleNewBoards();

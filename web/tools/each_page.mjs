/** Every page of the site, in every state that looks different: for the tests of all pages and for pictures of them. */

/** Selectors that are there once a page shows everything. */
const BOARD = "loz-board .piece";
const GAME = ".g-page loz-board .piece";

/**
 * A page: its name, the server's route, its visitor, its path, and what is there once it is complete. `interact` is
 * the first interaction.
 * @typedef {import("./world.mjs").SiteData} SiteData
 * @typedef {import("playwright-core").Page} Page
 * @typedef {object} EachPage
 * @property {string} name
 * @property {string} route
 * @property {"member" | "other" | null} [visitor]
 * @property {(siteData: SiteData) => string} [path]
 * @property {string} ready
 * @property {string} [scrollTarget] an element that is drawn once it is nearly in the viewport
 * @property {(page: Page) => Promise<unknown>} [interact]
 */

/** @type {EachPage[]} */
export const EACH_PAGE = [
  { name: "home", route: "/", ready: "#lobby .seek" },
  {
    name: "home-choices",
    route: "/",
    visitor: "member",
    ready: ".games-list",
    interact: async (page) => {
      await page.locator('[data-choice="against"] input').nth(1).check();
      await page.locator(".more-of summary").first().click();
      await page.locator('[data-choice="clock"] input[value="own"]').check();
    },
  },
  { name: "looks", route: "/", ready: ".looks", interact: (page) => page.locator(".looks summary").click() },
  { name: "games", route: "/rules", ready: ".card" },
  { name: "rules", route: "/rules/{id}", path: () => "/rules/diamondring", scrollTarget: ".piece", ready: `${BOARD}, .legend li` },
  { name: "rules-goal", route: "/rules/{id}", path: () => "/rules/diamondback", scrollTarget: ".piece", ready: `${BOARD}, .legend li` },
  { name: "rules-letters", route: "/rules/{id}", path: () => "/rules/brilliant", scrollTarget: ".piece", ready: `${BOARD}, .legend li` },
  { name: "game", route: "/game/{id}", visitor: "member", path: ({ games }) => `/game/${games.torus}`, ready: GAME },
  {
    name: "game-chat",
    route: "/game/{id}",
    visitor: "member",
    path: ({ games }) => `/game/${games.live}`,
    ready: `${GAME}, .g-messages b`,
  },
  { name: "game-engine", route: "/game/{id}", visitor: "member", path: ({ games }) => `/game/${games.engine}`, ready: GAME },
  { name: "game-watched", route: "/game/{id}", path: ({ games }) => `/game/${games.live}`, ready: GAME },
  { name: "game-finished", route: "/game/{id}", visitor: "other", path: ({ games }) => `/game/${games.finished}`, ready: ".g-finished" },
  { name: "game-four", route: "/game/{id}", visitor: "member", path: ({ games }) => `/game/${games.four}`, ready: GAME },
  { name: "game-four-finished", route: "/game/{id}", visitor: "member", path: ({ games }) => `/game/${games.fourFinished}`, ready: ".g-finished" },
  { name: "game-waiting", route: "/game/{id}", visitor: "member", path: ({ games }) => `/game/${games.waiting}`, ready: ".g-qr" },
  { name: "game-invited", route: "/game/{id}", path: ({ games }) => `/game/${games.waiting}`, ready: ".g-big" },
  {
    name: "game-help",
    route: "/game/{id}",
    visitor: "member",
    path: ({ games }) => `/game/${games.live}`,
    ready: GAME,
    interact: async (page) => {
      await page.keyboard.press("?");
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "game-from-here",
    route: "/game/{id}",
    visitor: "other",
    path: ({ games }) => `/game/${games.finished}`,
    ready: ".g-finished",
    interact: async (page) => {
      await page.getByRole("button", { name: "Continue from here" }).click();
      await page.getByRole("dialog").waitFor();
    },
  },
  { name: "gallery", route: "/variants", visitor: "member", ready: ".card" },
  {
    name: "game-of-player",
    route: "/variants/{id}",
    visitor: "member",
    path: ({ variant }) => `/variants/${variant.id}`,
    scrollTarget: ".piece",
    ready: `${BOARD}, .community-bar .button, .comments li`,
  },
  { name: "report", route: "/variants/{id}/report", path: () => "/variants/diamond/report", ready: "footer" },
  { name: "studio", route: "/studio", visitor: "member", ready: ".drafts li" },
  {
    name: "studio-file",
    route: "/studio/{id}",
    visitor: "member",
    path: ({ variant }) => `/studio/${variant.draft}`,
    ready: '.cm-content, [data-checked="true"]',
  },
  {
    name: "studio-pieces",
    route: "/studio/{id}",
    visitor: "member",
    path: ({ variant }) => `/studio/${variant.draft}`,
    ready: ".cm-content",
    interact: async (page) => {
      await page.locator('.panes [data-pane="pieces"]').click();
      await page.getByRole("button", { name: "Otter" }).click();
      await page.locator(".pieces-count:not(:empty)").waitFor();
    },
  },
  {
    name: "studio-pictures",
    route: "/studio/{id}",
    visitor: "member",
    path: ({ variant }) => `/studio/${variant.draft}`,
    ready: ".cm-content",
    interact: async (page) => {
      await page.locator('.panes [data-pane="pictures"]').click();
      await page.getByRole("button", { name: "Otter" }).click();
      await page.locator(".picture-choice").first().waitFor();
    },
  },
  {
    name: "studio-draw",
    route: "/studio/{id}",
    visitor: "member",
    path: ({ variant }) => `/studio/${variant.draft}`,
    ready: ".cm-content",
    interact: async (page) => {
      await page.locator('.panes [data-pane="draw"]').click();
      await page.locator(".cell .piece-symbol").first().waitFor();
    },
  },
  { name: "analysis", route: "/analysis", path: () => "/analysis?variant=diamondring", ready: BOARD },
  { name: "analysis-game", route: "/analysis/{id}", visitor: "other", path: ({ games }) => `/analysis/${games.finished}`, ready: `${BOARD}, .a-move` },
  { name: "editor", route: "/editor", path: () => "/editor?variant=doublediamond", ready: BOARD },
  { name: "studies", route: "/study", visitor: "member", path: () => "/study?of=mine", ready: ".study-cards li" },
  { name: "study-new", route: "/study/new", visitor: "member", path: ({ games }) => `/study/new?game=${games.finished}`, ready: ".s-form" },
  { name: "study", route: "/study/{id}", path: ({ study }) => `/study/${study}`, ready: `${BOARD}, .a-move, .s-chapters li` },
  {
    name: "study-edit",
    route: "/study/{id}",
    visitor: "member",
    path: ({ study }) => `/study/${study}`,
    ready: `${BOARD}, .a-notes`,
    interact: async (page) => {
      await page.getByTitle("Edit study").click();
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "study-share",
    route: "/study/{id}",
    visitor: "member",
    path: ({ study }) => `/study/${study}`,
    ready: `${BOARD}, .a-notes`,
    interact: async (page) => {
      await page.getByTitle("Share & export").click();
      await page.getByRole("dialog").waitFor();
    },
  },
  { name: "study-embed", route: "/study/{id}/embed", path: ({ study }) => `/study/${study}/embed`, ready: `${BOARD}, .a-move` },
  { name: "puzzles", route: "/puzzles", visitor: "member", path: () => "/puzzles?variant=diamond", ready: ".p-daily, .p-themes li" },
  { name: "puzzle", route: "/puzzles/{id}", path: () => "/puzzles/next?variant=diamond", ready: `${BOARD}, .a-move` },
  { name: "learn", route: "/learn", ready: ".learn-cards li" },
  { name: "lessons", route: "/learn/{id}", path: () => "/learn/diamond", ready: "main h1" },
  { name: "lesson", route: "/learn/{id}", path: () => "/learn/diamondring#piece-e-1", ready: `${BOARD}, .learn-strip li` },
  { name: "endings", route: "/learn/{id}/endings", path: () => "/learn/diamond/endings", ready: ".drill-classes li" },
  { name: "ending", route: "/learn/{id}/endings", path: () => "/learn/diamond/endings#KVvK", ready: BOARD },
  { name: "coordinates", route: "/learn/{id}/coordinates", path: () => "/learn/diamondring/coordinates", ready: ".c-settings" },
  { name: "puzzle-storm", route: "/puzzles/storm", path: () => "/puzzles/storm?variant=diamond", ready: BOARD },
  { name: "puzzle-streak", route: "/puzzles/streak", path: () => "/puzzles/streak?variant=diamond", ready: `${BOARD}, .a-move, .p-streak` },
  { name: "live", route: "/live", ready: ".games-list loz-board .piece" },
  { name: "player", route: "/player/{name}", path: ({ name }) => `/player/${name}`, ready: "#graph svg" },
  {
    name: "player-challenge",
    route: "/player/{name}",
    visitor: "other",
    path: ({ name }) => `/player/${name}?result=won`,
    ready: ".challenge summary",
    interact: (page) => page.locator(".challenge summary").click(),
  },
  { name: "players", route: "/players", ready: "main h1" },
  { name: "players-one", route: "/players", path: () => "/players?variant=diamondback&speed=blitz", ready: "main h2" },
  { name: "login", route: "/login", ready: "form#sign" },
  { name: "register", route: "/register", ready: "form#sign" },
  { name: "recover", route: "/recover", ready: "form#sign" },
  { name: "reset", route: "/reset", path: () => "/reset#a-link", ready: "form#sign" },
  { name: "confirm-email", route: "/confirm-email", path: () => "/confirm-email#a-link", ready: "form#sign" },
  { name: "account", route: "/account", visitor: "member", ready: ".tokens li" },
  { name: "api", route: "/api", ready: ".operations" },
  { name: "api-open", route: "/api", ready: ".operations", interact: (page) => page.locator("#make_game > summary").click() },
  { name: "about", route: "/about", ready: "main h1" },
  { name: "nothing", route: "nothing", path: () => "/nowhere", ready: "main h1" },
];

/**
 * Opens a page in a window and waits until it shows everything.
 * @param {Page} page @param {EachPage} each @param {SiteData} siteData
 */
export async function visit(page, each, siteData) {
  await siteData.keepOnline();
  await page.goto(each.path?.(siteData) ?? each.route);
  if (each.scrollTarget) await page.locator(each.scrollTarget).first().scrollIntoViewIfNeeded();
  for (const selector of each.ready.split(", ")) await page.locator(selector).first().waitFor({ state: "attached" });
  await page.locator(".g-connection").waitFor({ state: "detached" });
  await page.evaluate(() => document.fonts.ready);
  if (each.scrollTarget) await page.evaluate(() => scrollTo(0, 0));
  await each.interact?.(page);
}

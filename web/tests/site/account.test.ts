/** An account from its beginning to its end. */
import { readFile } from "node:fs/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { ADDRESS, canRun, PHONE, type Visitor, createVisitors } from "./harness.ts";

const PASSWORD = "correct horse battery";
const OTHER = "another staple";

describe.skipIf(!canRun)("an account", () => {
  const visitors = createVisitors();
  let guest: Visitor;
  let name = "";
  const fault = () => guest.page.locator(".fault:not(:empty)");
  const fillIn = async (user: string, password: string): Promise<void> => {
    await guest.page.getByLabel("Name").fill(user);
    await guest.page.getByLabel("Password").fill(password);
  };
  const signIn = async (password: string): Promise<void> => {
    await guest.page.goto("/login");
    await fillIn(name, password);
    await guest.button("Sign in").click();
  };
  const submitRegistration = async (): Promise<void> => {
    await guest.page.goto("/register");
    await fillIn(name, PASSWORD);
    await guest.button("Register").click();
  };
  const register = async (): Promise<void> => {
    await submitRegistration();
    // The recovery code is shown first, and only once.
    await guest.page.getByLabel("I have saved it").check();
    await guest.button("Continue").click();
    await guest.page.locator(".who", { hasText: name }).waitFor();
  };
  const panel = (title: string) => guest.page.getByRole("region", { name: title, exact: true });
  beforeEach(async () => {
    guest = await visitors.create();
    name = `t${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`;
  });

  it("can be registered with the guest's games, has a password", async () => {
    const game = await guest.createGame({ variant: "diamond", opponent: { kind: "engine", level: 1 } });
    await register();
    await guest.page.goto("/");
    await guest.page.locator(`section:has(#mine-title) a[href="/game/${game.id}"]`).waitFor();
    await guest.page.goto("/account");
    await guest.button("Sign out").click();
    await guest.page.getByRole("link", { name: "Sign in" }).waitFor();
    await guest.page.goto("/account");
    expect(new URL(guest.page.url()).pathname).toBe("/login");

    guest.ignoreErrors(/status of (401|409)/);
    await signIn("not my password");
    await expect.poll(() => fault().innerText()).toBe("Wrong name or password.");
    expect(await guest.button("Sign in").isEnabled()).toBe(true);
    await guest.page.goto("/register");
    await fillIn(name.toUpperCase(), PASSWORD);
    await guest.button("Register").click();
    await expect.poll(() => fault().innerText()).toBe("This name is taken, or looks like one that is. Choose another.");
    await signIn(PASSWORD);
    await guest.page.locator(".who", { hasText: name }).waitFor();
    await guest.page.goto(`/player/${name}`);
    await guest.page.locator(`a[href="/game/${game.id}"]`).waitFor();
  });

  it("has its games on its page, where Tab reaches them", async () => {
    await register();
    const game = await guest.createGame({ variant: "diamond", opponent: { kind: "engine", level: 1 } });
    await guest.page.goto(`/player/${name}`);
    await guest.page.locator("summary", { hasText: "Filter" }).focus();
    await guest.page.keyboard.press("Tab");
    const focused = guest.page.locator(":focus-visible");
    expect(await focused.getAttribute("href")).toBe(`/game/${game.id}`);
    // The focus ring is around the whole card.
    expect(await focused.evaluate((link) => getComputedStyle(link, "::after").outlineStyle)).toBe("solid");
    await guest.page.keyboard.press("Enter");
    await guest.page.waitForURL(`**/game/${game.id}`);
  });

  it("is shown as signed in next to its new recovery code", async () => {
    await submitRegistration();
    await guest.page.getByLabel("I have saved it").waitFor();
    expect(await guest.page.locator(".top .enter").innerText()).toBe(name);
    expect(await guest.page.locator(".top .enter").getAttribute("href")).toBe("/account");
  });

  it.each(["/login", "/register"])("keeps name and password out of %s's address without script", async (path) => {
    const noScript = await visitors.create({ javaScriptEnabled: false });
    await noScript.page.goto(path);
    await noScript.page.locator("#name").fill(name);
    await noScript.page.locator("#password").fill(PASSWORD);
    await noScript.page.locator("#password").press("Enter");
    await noScript.page.waitForTimeout(300);
    expect(noScript.page.url()).toBe(`${ADDRESS}${path}`);
    expect(await noScript.page.locator("#sign").getAttribute("method")).toBe("post");
    expect(await noScript.page.locator("noscript p").innerText()).toBe("JavaScript is required to sign in.");
    // Sent all the same, the page comes again.
    const answer = await noScript.context.request.post(path, { form: { name, password: PASSWORD } });
    expect(answer.status()).toBe(200);
  });

  it("has the same settings on all devices", async () => {
    await register();
    await guest.page.goto("/account");
    const appearance = panel("Appearance and sound");
    for (const choice of ["Dark", "Oak", "Off"]) {
      await appearance.locator("label", { hasText: choice }).click();
      await appearance.getByText("Saved.").waitFor();
    }
    const theme = (visitor: Visitor) => visitor.page.evaluate(() => document.documentElement.dataset.theme);
    expect(await theme(guest)).toBe("dark");
    const phone = await visitors.create({ ...PHONE, colorScheme: "light" });
    await phone.page.goto("/login");
    await phone.page.getByLabel("Name").fill(name);
    await phone.page.getByLabel("Password").fill(PASSWORD);
    await phone.button("Sign in").click();
    await phone.page.locator(".who", { hasText: name }).waitFor();
    expect(await theme(phone)).toBe("dark");
    const game = await phone.createGame({ variant: "diamond", opponent: { kind: "engine", level: 1 } });
    await phone.open(game.id);
    expect(await phone.page.locator("loz-board").getAttribute("theme")).toBe("oak");
    await phone.button("Sound").waitFor();
    expect(await phone.button("Sound").getAttribute("aria-pressed")).toBe("false");
  });

  it("can change its password, which signs out other devices", async () => {
    await register();
    const phone = await visitors.create(PHONE);
    await phone.context.request.post("/api/account/sign-in", { data: { name, password: PASSWORD } });
    await phone.page.goto("/account");
    expect(new URL(phone.page.url()).pathname).toBe("/account");
    // Also the phone's page may ask for something before it is loaded again.
    for (const device of [guest, phone]) device.ignoreErrors(/status of 401/);
    await guest.page.goto("/account");
    const form = panel("Password");
    const change = async (current: string, next: string): Promise<void> => {
      await form.getByLabel("Current password").fill(current);
      await form.getByLabel("New password").fill(next);
      await form.getByRole("button", { name: "Change password" }).click();
    };
    await change("not my password", OTHER);
    await expect.poll(() => form.locator(".fault").innerText()).toBe("Wrong password.");
    await change(PASSWORD, OTHER);
    await form.getByText("Password changed.").waitFor();
    await guest.page.reload();
    expect(new URL(guest.page.url()).pathname).toBe("/account");
    await phone.page.reload();
    expect(new URL(phone.page.url()).pathname).toBe("/login");
    await guest.button("Sign out everywhere").click();
    await guest.page.waitForURL((url) => url.pathname === "/");
    await signIn(PASSWORD);
    await expect.poll(() => fault().innerText()).toBe("Wrong name or password.");
    await signIn(OTHER);
    await guest.page.locator(".who", { hasText: name }).waitFor();
  });

  it("can create and revoke tokens", async () => {
    await register();
    await guest.page.goto("/account");
    const tokens = panel("API tokens");
    await tokens.getByText("No tokens.").waitFor();
    await tokens.getByLabel("Create and play games").uncheck();
    await tokens.getByLabel("Description").fill("A program");
    await tokens.getByRole("button", { name: "Create token" }).click();
    await tokens.getByText("Choose at least one permission").waitFor();
    await tokens.getByLabel("Read settings and private games").check();
    await tokens.getByRole("button", { name: "Create token" }).click();
    const secret = await tokens.locator(".secret input").inputValue();
    const request = async (method: string, path: string): Promise<number> => {
      const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
      const body = method === "POST" ? '{"variant":"diamond","opponent":{"kind":"link"},"side":"white"}' : null;
      return (await fetch(ADDRESS + path, { method, headers, body })).status;
    };
    expect(await request("GET", "/api/account/data")).toBe(200);
    expect(await request("POST", "/api/games")).toBe(403);
    await guest.page.reload();
    await tokens.getByText("A program", { exact: true }).waitFor();
    // The secret is shown only once.
    expect(await guest.page.content()).not.toContain(secret);
    await tokens.getByRole("button", { name: "Revoke A program" }).click();
    await tokens.getByText("No tokens.").waitFor();
    expect(await request("GET", "/api/account/data")).toBe(401);
  });

  it("can be exported and deleted", async () => {
    const game = await guest.createGame({ variant: "diamond", opponent: { kind: "engine", level: 1 } });
    await register();
    guest.ignoreErrors(/status of 401/);
    await guest.page.goto("/account");
    const [file] = await Promise.all([
      guest.page.waitForEvent("download"),
      guest.page.getByRole("link", { name: "Download all data" }).click(),
    ]);
    const data = JSON.parse(await readFile(await file.path(), "utf8")) as {
      account: { player: { name: string } };
      games: { id: string }[];
    };
    expect(data.account.player.name).toBe(name);
    expect(data.games.map(({ id }) => id)).toEqual([game.id]);
    expect(JSON.stringify(data)).not.toContain("argon2");

    await guest.page.getByText("Delete account").click();
    const own = panel("Your data");
    await own.getByLabel("Confirm with your password").fill("not my password");
    await own.getByRole("button", { name: "Delete permanently" }).click();
    await expect.poll(() => own.locator(".fault").innerText()).toBe("Wrong password.");
    await own.getByLabel("Confirm with your password").fill(PASSWORD);
    await own.getByRole("button", { name: "Delete permanently" }).click();
    await guest.page.waitForURL((url) => url.pathname === "/");
    await guest.page.getByRole("link", { name: "Sign in" }).waitFor();
    guest.ignoreErrors(/status of 404/);
    await guest.page.goto(`/player/${name}`);
    expect(await guest.page.locator("h1").innerText()).toBe("Page not found");
    // The game stays, without the name.
    await guest.open(game.id);
    expect(await guest.page.locator("body").innerText()).not.toContain(name);
    await signIn(PASSWORD);
    await expect.poll(() => fault().innerText()).toBe("Wrong name or password.");
  });
});

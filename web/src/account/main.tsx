/** The scripts of the sign-in pages, the account page, and the public page of a player. */
import "../common/every.ts";
import "../../styles/pages.css";
import "./texts.ts";
import { render } from "preact";
import type { Schemas } from "../common/api.ts";
import { pageData } from "../common/page.ts";
import { AccountPage } from "./account.tsx";
import { Challenge } from "./challenge_form.tsx";
import { Graph, type Profile } from "./rating_graph.tsx";
import { attachSignInForm, keepNextPage } from "./sign_in.ts";

for (const form of document.querySelectorAll<HTMLFormElement>("form[data-kind]")) attachSignInForm(form);
keepNextPage();

const account = document.getElementById("account");
if (account) render(<AccountPage account={pageData<Schemas["Account"]>("data")} />, account);

const challenge = document.getElementById("challenge");
if (challenge) {
  const { player } = pageData<Profile>("data");
  render(<Challenge name={player.name} games={pageData<Schemas["GameName"][]>("games")} />, challenge);
}

const graph = document.getElementById("graph");
if (graph) render(<Graph profile={pageData<Profile>("data")} />, graph);

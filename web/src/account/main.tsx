/** The scripts of the sign-in pages, the account page, and the public page of a player. */
import "../common/plain.ts";
import "./texts.ts";
import { render } from "preact";
import type { Schemas } from "../common/api.ts";
import { data } from "../common/data.ts";
import { AccountPage } from "./account.tsx";
import { Challenge } from "./challenge.tsx";
import { Graph, type Profile } from "./graph.tsx";
import { handleSign } from "./sign.ts";

for (const form of document.querySelectorAll<HTMLFormElement>("form[data-kind]")) handleSign(form);

const account = document.getElementById("account");
if (account) render(<AccountPage account={data<Schemas["Account"]>("data")} />, account);

const challenge = document.getElementById("challenge");
if (challenge) {
  const { player } = data<Profile>("data");
  render(<Challenge name={player.name} games={data<[string, string][]>("games")} />, challenge);
}

const graph = document.getElementById("graph");
if (graph) render(<Graph profile={data<Profile>("data")} />, graph);

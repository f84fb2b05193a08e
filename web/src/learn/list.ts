/** The entry of the list of games that can be learned: shows what this browser has solved of each. */
import "../common/plain.ts";
import { element } from "../common/page.ts";
import { loadProgress } from "./progress.ts";
import { t } from "./texts.ts";

for (const line of document.querySelectorAll<HTMLElement>("[data-course]")) {
  const { course = "", levels = "0" } = line.dataset;
  const count = Number(levels);
  const stars = Object.values(loadProgress(course).stars);
  if (stars.length === 0) continue;
  const sum = stars.reduce((total, stars) => total + stars, 0);
  const solved = Math.min(stars.length, count);
  const text = t("progress", { solved, count, stars: sum, most: 3 * count });
  const bar = element("progress", { max: String(count), value: String(solved), "aria-label": text });
  line.append(element("br"), text, bar);
}

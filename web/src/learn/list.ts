/** The entry of the list of games that can be learned: shows what this browser, or the account, has solved of each. */
import "../common/every.ts";
import "../../styles/pages.css";
import { element } from "../common/page.ts";
import { loadProgress } from "./progress.ts";
import { t } from "./texts.ts";

for (const line of document.querySelectorAll<HTMLElement>("[data-course]")) {
  const { course = "", levels = "0", solved: inAccount = "0", stars: starsInAccount = "0" } = line.dataset;
  const count = Number(levels);
  const stars = Object.values(loadProgress(course).stars);
  const solved = Math.min(Math.max(stars.length, Number(inAccount)), count);
  if (solved === 0) continue;
  const sum = Math.max(
    stars.reduce((total, stars) => total + stars, 0),
    Number(starsInAccount),
  );
  const text = t("progress", { solved, count, stars: sum, most: 3 * count });
  const bar = element("progress", { max: String(count), value: String(solved), "aria-label": text });
  line.append(element("br"), text, bar);
}

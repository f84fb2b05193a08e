/** What every page has: the styles, the bar at the top, and dates where the reader is. */
import "../../styles/main.css";
import { localizeDates } from "./dates.ts";
import "./frame.ts";

localizeDates();

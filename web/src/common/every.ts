/** The scripts of every page: styles, top bar, local dates. */
import "../../styles/main.css";
import { localizeDates } from "./dates.ts";
import "./frame.ts";

localizeDates();

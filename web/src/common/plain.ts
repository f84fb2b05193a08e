/** What every page has: the styles, and the bar at the top. */
import "../../styles/main.css";
import "./frame.ts";

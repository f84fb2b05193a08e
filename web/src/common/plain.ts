/** What every page has: the styles. */
import "../../styles/main.css";

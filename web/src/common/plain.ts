/** The entry of pages of text, lists and forms. */
import "./every.ts";
import "../../styles/pages.css";

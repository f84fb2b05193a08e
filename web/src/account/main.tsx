/** account. */
import "../common/plain.ts";

/** live. */
import "../common/plain.ts";

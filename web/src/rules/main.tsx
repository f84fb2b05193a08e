/** The games explained. */
import "../common/plain.ts";

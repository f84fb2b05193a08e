/** The session of the page, and rendering after its changes. */
import { sessionContext } from "../common/session_context.ts";
import type { Session } from "./session.ts";

export const [SessionContext, useSession] = sessionContext<Session>();

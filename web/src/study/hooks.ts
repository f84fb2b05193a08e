/** The session of the page, and rendering after its changes. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { useAnalysis } from "../analysis/hooks.ts";
import type { StudySession } from "./session.ts";

export const StudyContext = createContext<StudySession | null>(null);

/** The session of the page; the component is rendered again with every change. */
export function useStudy(): StudySession {
  const session = useContext(StudyContext);
  if (!session) throw new Error("expected a study around this part of the page");
  useAnalysis();
  return session;
}

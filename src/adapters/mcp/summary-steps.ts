import type { Handles, RequestedSession } from "./handles.js";
import type { Cell } from "./own-words.js";

export interface SummarySteps {
  readonly step: (id: string | undefined) => Cell;
  readonly agent: (id: string | undefined) => Cell;
  readonly texts: boolean;
}

export function summarySteps(named: RequestedSession, handles: Handles, texts: boolean): SummarySteps {
  return {
    step: (id) => (id === undefined || id === "" ? undefined : handles.step(named, id)),
    agent: (id) => handles.agent(named, id),
    texts,
  };
}

import type { Cell } from "../answer/own-words.js";
import type { Handles, RequestedSession } from "./handles.js";

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

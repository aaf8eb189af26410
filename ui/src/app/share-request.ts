import type { QueryOf } from "../../../src/application/questions/endpoints.js";
import { type OpenedRoute, speakerOf } from "../model/address/address.js";
import { Store } from "./store.js";

export type SharedPart = NonNullable<QueryOf<"exportSession">["only"]>;

export const isSharing = new Store(false);

/** The selected step of the trace, or the agent of an open conversation. `undefined` for the complete session. */
export function visiblePart({ tab, query }: OpenedRoute): SharedPart | undefined {
  if (tab === "trace" && query.event) return partOfStep(query.event);
  const agent = tab === "messages" || tab === "context" ? speakerOf(query) : "";
  return agent === "" ? undefined : `agent:${agent}`;
}

/** The span id of an agent is already a part. */
export function partOfStep(id: string): SharedPart {
  return id.startsWith("agent:") ? (id as SharedPart) : `step:${id}`;
}

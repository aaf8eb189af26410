import type { QueryOf } from "../../../src/application/questions/endpoints.js";
import { type OpenedRoute, speakerOf } from "../model/address.js";
import { Store } from "./store.js";

/** A part of a session that can be handed on by itself. */
export type SharedPart = NonNullable<QueryOf<"exportSession">["only"]>;

/** True if the dialog that shares the session is open. */
export const isSharing = new Store(false);

/**
 * Returns the part of the session that a view displays: the selected step in the trace, or a sub-agent whose conversation is open.
 * Returns `undefined` if it is the complete session.
 */
export function partShown({ tab, query }: OpenedRoute): SharedPart | undefined {
  if (tab === "trace" && query.event) return partOfStep(query.event);
  const agent = tab === "messages" || tab === "context" ? speakerOf(query) : "";
  return agent === "" ? undefined : `agent:${agent}`;
}

/**
 * Returns the part for a step's id in the trace. An agent with recorded steps only has a span id that is already the part of that agent.
 */
export function partOfStep(id: string): SharedPart {
  return id.startsWith("agent:") ? (id as SharedPart) : `step:${id}`;
}

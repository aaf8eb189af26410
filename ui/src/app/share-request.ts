import type { QueryOf } from "../../../src/application/questions/endpoints.js";
import { type OpenedRoute, speakerOf } from "../model/address.js";
import { Store } from "./store.js";

/** A part of a session that can be handed on by itself. */
export type SharedPart = NonNullable<QueryOf<"exportSession">["only"]>;

/** Whether the dialog that hands the session on is open. */
export const isSharing = new Store(false);

/**
 * What is looked at in a view, as a part of its session: the step that is selected in the trace, a sub-agent whose conversation is read;
 * `undefined` where it is all of the session.
 */
export function partShown({ tab, query }: OpenedRoute): SharedPart | undefined {
  if (tab === "trace" && query.event) return partOfStep(query.event);
  const agent = tab === "messages" || tab === "context" ? speakerOf(query) : "";
  return agent === "" ? undefined : `agent:${agent}`;
}

/** A step by its id in the trace, which of an agent of which only its steps are known is made of that agent's. */
export function partOfStep(id: string): SharedPart {
  return id.startsWith("agent:") ? (id as SharedPart) : `step:${id}`;
}

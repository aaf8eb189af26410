import { type JsonObject, labelField, objectField, present, textField } from "../../domain/json/json.js";
import { type Span, walkSpans } from "../../domain/spans/span.js";
import type { SessionOnHand } from "./session-on-hand.js";

/** The agent of a session, as far as its history names it. */
export interface AgentName {
  readonly name: string;
  readonly version?: string;
}

/** A type of event that no other tool writes. */
const OF_TOOL = /^([a-z]+(?:-[a-z]+)+|codex|pi|atif|opencode)\./;

/** What the session's start says of its agent, else whose events it has that no other tool writes. */
export function agentNameOf(session: SessionOnHand, roots: readonly Span[]): AgentName {
  let about: JsonObject | undefined;
  let tool: string | undefined;
  walkSpans(roots, ({ kind, start, bookkeeping }) => {
    if (kind === "session" && start.phase === "start") about ??= session.eventOf(start);
    tool ??= OF_TOOL.exec(start.type)?.[1];
    for (const { start: record } of bookkeeping) tool ??= OF_TOOL.exec(record.type)?.[1];
  });
  const known = objectField(about ?? {}, "agent");
  const { agentId, source } = session.listed;
  const name = textField(about ?? {}, "agent") ?? textField(known, "name") ?? agentId ?? tool ?? source;
  const version = labelField(about ?? {}, "agentVersion") ?? labelField(about ?? {}, "version");
  return { name: name ?? "agent", ...present({ version: version ?? labelField(known, "version") }) };
}

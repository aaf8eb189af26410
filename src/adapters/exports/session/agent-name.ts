import { type JsonObject, labelField, objectField, present, textField } from "../../../domain/json/json.js";
import { walkSpans } from "../../../domain/spans/span.js";
import { type CompleteEvent, eventIn } from "./complete-events.js";
import type { ExportedSession } from "./exported-session.js";

export interface AgentName {
  readonly name: string;
  readonly version?: string;
}

/** Event types of a single tool. */
const OF_TOOL = /^([a-z]+(?:-[a-z]+)+|codex|pi|atif|opencode)\./;

/** Fallback without a name at the start: the tool that owns the event types. */
export function agentNameOf({ listed, trace }: ExportedSession<CompleteEvent>): AgentName {
  let about: JsonObject | undefined;
  let tool: string | undefined;
  walkSpans(trace.roots, ({ kind, start, bookkeeping }) => {
    if (kind === "session" && start.phase === "start") about ??= eventIn(trace, start);
    tool ??= OF_TOOL.exec(start.type)?.[1];
    for (const { start: record } of bookkeeping) tool ??= OF_TOOL.exec(record.type)?.[1];
  });
  const agent = objectField(about ?? {}, "agent");
  const { agentId, source } = listed;
  const name = textField(about ?? {}, "agent") ?? textField(agent, "name") ?? agentId ?? tool ?? source;
  const version = labelField(about ?? {}, "agentVersion") ?? labelField(about ?? {}, "version");
  return { name: name ?? "agent", ...present({ version: version ?? labelField(agent, "version") }) };
}

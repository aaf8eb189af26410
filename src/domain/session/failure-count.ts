import { classifyEvent, type EventKind, type EventPhase, readBookkeeping } from "../dialects/event-kinds.js";
import { type JsonObject, labelField, objectField, textField } from "../json/json.js";
import { isFailure, isOwnError } from "../trace/outcome.js";

interface Scope {
  readonly kind: EventKind;
  readonly parent: Scope | undefined;
  hasFailedPart: boolean;
}

/** Bounds the memory: the oldest ones are dropped. */
const MAX_CALLS = 1_000;

/** Counts by the rules of {@link isFailure} and {@link isOwnError}. A failure after the end of its surrounding call counts separately. */
export class FailureCount {
  /** By agent and trace, outermost first. */
  readonly #open = new Map<string, Scope[]>();
  readonly #calls = new Map<string, Scope>();
  readonly #agents = new Map<string, Scope>();

  /** @returns number of new errors: 0 or 1 */
  follow(event: JsonObject, traceId: string): number {
    if (readBookkeeping(event) !== undefined) return isFailure(event) ? 1 : 0;
    const { kind, phase } = classifyEvent(textField(event, "type") ?? "");
    const agentId = this.agentOf(event, traceId);
    const open = getOrCreate(this.#open, `${agentId} ${traceId}`, (): Scope[] => []);
    if (kind === "run" || kind === "turn") return this.#followContainer(event, kind, phase, open, agentId);
    const parent = open.at(-1) ?? this.#agents.get(agentId);
    const key = phase === "point" ? undefined : callKey(event, kind);
    if (phase === "start" && key !== undefined) {
      this.#calls.delete(key);
      getOrCreate(this.#calls, key, () => ({ kind, parent, hasFailedPart: false }));
    }
    const call = key === undefined ? undefined : this.#calls.get(key);
    if (phase === "end" && key !== undefined) this.#calls.delete(key);
    if (phase === "start" && !isFailure(event)) return 0;
    return count(event, call ?? { kind, parent, hasFailedPart: false });
  }

  /** @returns number of new errors: 0 or 1 */
  followOrchestration(event: JsonObject): number {
    if (readBookkeeping(event) !== undefined) return isFailure(event) ? 1 : 0;
    const { kind, phase } = classifyEvent(textField(event, "type") ?? "");
    const agent = objectField(event, "agent");
    const id =
      textField(agent, "id") ??
      textField(event, "agentId") ??
      textField(objectField(event, "close"), "agentId");
    if (kind === "agent" && phase === "start" && id !== undefined) {
      const call = textField(event, "toolCallId") ?? textField(agent, "toolCallId") ?? "";
      const parentId = textField(agent, "parentAgentId") ?? textField(event, "parentAgentId") ?? "";
      const parent = this.#calls.get(`tool ${call}`) ?? this.#agents.get(parentId) ?? this.#innermost();
      getOrCreate(this.#agents, id, () => ({ kind, parent, hasFailedPart: false }));
    }
    const parent = id === undefined ? undefined : this.#agents.get(id);
    return count(event, kind === "agent" && parent ? parent : { kind, parent, hasFailedPart: false });
  }

  /** `""` for the main agent, also if its events have an id. */
  agentOf(event: JsonObject, traceId: string): string {
    const id = textField(event, "agentId") ?? traceId;
    return this.#agents.has(id) || (id === textField(event, "agentId") && id === traceId) ? id : "";
  }

  #followContainer(
    event: JsonObject,
    kind: EventKind,
    phase: EventPhase,
    open: Scope[],
    agentId: string,
  ): number {
    const at = open.findLastIndex((scope) => scope.kind === kind);
    if (phase === "start") {
      const first = open.findIndex((scope) => scope.kind === kind);
      if (first !== -1) open.splice(first);
      const parent = open.at(-1) ?? this.#agents.get(agentId);
      open.push({ kind, parent, hasFailedPart: false });
      return 0;
    }
    const [scope] = at === -1 ? [] : open.splice(at);
    const parent = open.at(-1) ?? this.#agents.get(agentId);
    return count(event, scope ?? { kind, parent, hasFailedPart: false });
  }

  #innermost(): Scope | undefined {
    for (const [key, open] of [...this.#open].reverse())
      if (key.startsWith(" ") && open.length > 0) return open.at(-1);
    return undefined;
  }
}

function count(event: JsonObject, scope: Scope): number {
  if (!isOwnError(isFailure(event), scope.hasFailedPart)) return 0;
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) at.hasFailedPart = true;
  return 1;
}

function callKey(event: JsonObject, kind: EventKind): string | undefined {
  const names =
    kind === "tool"
      ? ["toolCallId", "callId", "toolUseId", "id"]
      : ["callId", "llmCallId", "requestId", "messageId"];
  const name = names.find((one) => labelField(event, one) !== undefined);
  return name === undefined ? undefined : `${kind} ${labelField(event, name)}`;
}

/** A new key replaces the oldest one in a full map. */
function getOrCreate<T>(map: Map<string, T>, key: string, make: () => T): T {
  const value = map.get(key) ?? make();
  map.set(key, value);
  if (map.size > MAX_CALLS) map.delete(map.keys().next().value!);
  return value;
}

import { type JsonObject, labelOf, textField } from "../../../domain/json/json.js";
import { UniqueNames } from "../../../domain/lists/unique-names.js";

interface Span {
  readonly parent: string | undefined;
  readonly type: string | undefined;
  readonly name: string;
  owner?: Owner;
}

interface Owner {
  /** `""` for the sample's own. */
  readonly agent: string;
  /** An agent or a tool works in the span, and called each agent that begins in it. */
  readonly isCalled: boolean;
}

const NOBODY: Owner = { agent: "", isCalled: false };

/** Other events of scorers, such as results, belong to the sample. */
const OF_SCORERS = new Set(["model", "tool", "sandbox", "subtask"]);

/**
 * Assigns events to the sample, a sub-agent, or a scorer that calls models. An agent without a calling agent or tool is the sample
 * itself.
 */
export class Spans {
  readonly #spans = new Map<string, Span>();
  readonly #agents = new UniqueNames();

  constructor(events: Iterable<JsonObject>) {
    for (const event of events) {
      const { event: is, id, parent_id: parent, span_id: around } = event;
      if (is !== "span_begin" || typeof id !== "string") continue;
      const outer = labelOf(parent) ?? (around === id ? undefined : labelOf(around));
      this.#spans.set(id, {
        parent: outer,
        type: textField(event, "type"),
        name: textField(event, "name") ?? "unknown",
      });
    }
  }

  /** @returns such as `agent researcher`, `agent researcher 2`, `scorer match`; `""` for the sample's own work */
  agentOf(event: JsonObject): string {
    const { agent } = this.#ownerOf(labelOf(event.span_id));
    const isScorer = agent.startsWith("scorer ");
    return isScorer && !OF_SCORERS.has(String(event.event)) ? "" : agent;
  }

  /** `undefined` unless the span belongs to a sub-agent. */
  agentOfSpan(id: unknown): string | undefined {
    return this.#ownerOf(labelOf(id)).agent || undefined;
  }

  nameOf(event: JsonObject): string | undefined {
    return this.#spans.get(labelOf(event.span_id) ?? "")?.name;
  }

  #ownerOf(id: string | undefined): Owner {
    const path = new Set<Span>();
    let span = this.#spans.get(id ?? "");
    while (span !== undefined && span.owner === undefined && !path.has(span)) {
      path.add(span);
      span = this.#spans.get(span.parent ?? "");
    }
    let owner = span?.owner ?? NOBODY;
    for (const one of [...path].reverse()) {
      const { type } = one;
      const isOwn = type === "scorer" || (type === "agent" && owner.isCalled);
      const isCalled = owner.isCalled || type === "agent" || type === "tool";
      owner = { agent: isOwn ? this.#newAgent(`${type} ${one.name}`) : owner.agent, isCalled };
      one.owner = owner;
    }
    return owner;
  }

  #newAgent(name: string): string {
    return this.#agents.take(name, (n) => `${name} ${n + 1}`);
  }
}

export function agentNamed(agentId: string): { readonly role: string; readonly description: string } {
  const space = agentId.indexOf(" ");
  return { role: agentId.slice(0, space), description: agentId.slice(space + 1) };
}

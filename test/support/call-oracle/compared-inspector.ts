import path from "node:path";
import {
  createInspectorContainer,
  createInspectorRoute,
  InProcessPool,
  TOKENS,
} from "../../../src/advanced.js";
import type { InspectorDataSource } from "../../../src/index.js";
import { listIn, type Raw, textIn } from "./oracle-call.js";

export interface TracedCall {
  readonly id: string;
  /** `""` for the main agent. */
  readonly agentId: string;
  readonly file: string;
  /** The line of its first record; for Gemini CLI the message's id. */
  readonly place: number | string;
}

export interface Session {
  readonly tenantId: string;
  readonly sessionId: string;
}

export interface SeenMessage {
  readonly index: number;
  readonly item?: number | undefined;
  readonly text: string;
  readonly length: number;
}

/** An inspector in this process. Uses HTTP where possible, but the use case for contexts, which are many. */
export class ComparedInspector {
  readonly #container: ReturnType<typeof createInspectorContainer>;
  readonly #route: ReturnType<typeof createInspectorRoute>;

  constructor(source: InspectorDataSource) {
    this.#container = createInspectorContainer(source, { pool: new InProcessPool() });
    this.#route = createInspectorRoute(this.#container);
  }

  async sessions(): Promise<Session[]> {
    return (await this.#list("/sessions", "sessions")) as unknown as Session[];
  }

  async modelCalls(session: Session): Promise<{ readonly size: number; readonly traced: TracedCall[] }> {
    const envelopes = await this.#list(addressOf(session, "trace"), "envelopes");
    const traced = envelopes.flatMap((envelope) => {
      const event = envelope.event as Raw;
      if (event.type !== "llm.start") return [];
      const stored = event.stored as { readonly file: string; readonly line: number };
      const place = stored.file.includes("chats/") ? String(event.callId) : stored.line;
      const agentId = textIn(event, "agentId") ?? "";
      return [{ id: String(envelope.id), agentId, file: path.basename(stored.file), place }];
    });
    return { size: envelopes.length, traced };
  }

  messages(session: Session, agentId: string): Promise<Raw[]> {
    const agent = agentId === "" ? "" : `&agentId=${encodeURIComponent(agentId)}`;
    return this.#list(`${addressOf(session, "messages")}${agent}`, "messages");
  }

  async seenBy(session: Session, call: TracedCall): Promise<readonly SeenMessage[]> {
    return (await this.contextOf(session, call)).messages;
  }

  contextOf({ tenantId, sessionId }: Session, call: TracedCall) {
    const request = { tenantId, sessionId, call: call.id, window: { limit: 1_000_000 } };
    return this.#container.resolve(TOKENS.getCallContext).execute(request);
  }

  async #list(address: string, member: string): Promise<Raw[]> {
    const response = await this.#route.request(`http://localhost${address}`);
    if (response.status !== 200) throw new Error(`${address} is ${response.status}`);
    const body = (await response.json()) as Raw;
    return listIn(body, member);
  }
}

function addressOf({ tenantId, sessionId }: Session, list: string): string {
  return `/sessions/${encodeURIComponent(sessionId)}/${list}?tenantId=${encodeURIComponent(tenantId)}`;
}

import { createInMemoryInspectorDataSource, type InMemorySession } from "../../src/advanced.js";
import type { InspectorDataSource } from "../../src/index.js";
import { at, envelope } from "./sample.js";
import { fiveMethods } from "./sources.js";

/** `s000`, `s001`, … of the tenant `acme`, the newest last. */
export const sessionsNamed = (count: number): readonly InMemorySession[] =>
  Array.from({ length: count }, (_, i) => ({
    tenantId: "acme",
    sessionId: `s${String(i).padStart(3, "0")}`,
    createdAt: i * 1_000,
    envelopes: [envelope(0, { timestamp: at(i) })],
    messages: [{ role: "user", content: `needle ${i}` }],
  }));

type Method =
  | "listSessions"
  | `load${"TraceEnvelopes" | "OrchestrationEvents" | "OrchestrationState" | "Messages"}`;

/** Turns of the event loop for each call: another call may begin in each of them. */
const TURNS = 50;

/** Counts its calls. */
export class RemoteStore {
  readonly asked: string[] = [];
  atOnce = 0;
  mostAtOnce = 0;
  readonly source: InspectorDataSource;

  constructor(sessions: readonly InMemorySession[], concurrentReads?: number) {
    const memory = fiveMethods(createInMemoryInspectorDataSource(sessions));
    const remote =
      (name: Method) =>
      async (...of: unknown[]) => {
        this.asked.push([name, ...of.filter((one) => typeof one === "string")].join(" "));
        this.mostAtOnce = Math.max(this.mostAtOnce, ++this.atOnce);
        for (let turn = 0; turn < TURNS; turn++) await new Promise(setImmediate);
        this.atOnce--;
        return (memory[name] as (...of: unknown[]) => Promise<never>)(...of);
      };
    this.source = {
      listSessions: remote("listSessions"),
      loadTraceEnvelopes: remote("loadTraceEnvelopes"),
      loadOrchestrationEvents: remote("loadOrchestrationEvents"),
      loadOrchestrationState: remote("loadOrchestrationState"),
      loadMessages: remote("loadMessages"),
      concurrentReads,
    };
  }
}

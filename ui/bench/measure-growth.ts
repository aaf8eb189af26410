import { appendFile } from "node:fs/promises";
import { performance } from "node:perf_hooks";
import type { SessionKey } from "../../src/domain/session/session-key.js";
import { engineMethods } from "../src/engine/engine-methods.js";
import { traceQuery } from "../src/engine/trace/trace-protocol.js";

export interface GrowthMeasures {
  /** Bytes of all answers to one poll. */
  readonly bytes: number;
  /** Processor time of the engine, in milliseconds. */
  readonly busyMs: number;
}

/** Without a change for this time, the service treats the file as stable. */
const SETTLE_MS = 300;

/**
 * Opens a session and its conversation in an engine of this process, adds a line to its file, and polls once.
 * @param address of the service, with a slash at its end
 */
export async function measureGrowth(
  address: string,
  session: SessionKey,
  file: string,
  line: string,
): Promise<GrowthMeasures> {
  let bytes = 0;
  const plain = globalThis.fetch;
  globalThis.fetch = async (...of) => {
    const response = await plain(...of);
    const counted = response.body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(piece, controller) {
          bytes += piece.length;
          controller.enqueue(piece);
        },
      }),
    );
    const { status, headers } = response;
    return new Response(status === 304 ? null : counted, { status, headers });
  };
  let versions = { trace: 0, messages: 0 };
  const engine = engineMethods(`${address}__inspector`, (update) => {
    if (update.topic !== "session") return;
    versions = { trace: update.state.traceVersion, messages: update.state.messagesVersion };
    engine.sessionPainted();
  });
  try {
    await engine.openSession(session, traceQuery({}));
    while ((await engine.messagesView()).loading) await settle();
    await settle();
    const before = versions;
    bytes = 0;
    await appendFile(file, line);
    const idle = performance.eventLoopUtilization();
    await engine.pollSession();
    const busyMs = performance.eventLoopUtilization(idle).active;
    if (versions.trace === before.trace) throw new Error("The line that was added did not come.");
    return { bytes, busyMs };
  } finally {
    engine.closeSession();
    globalThis.fetch = plain;
  }
}

function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
}

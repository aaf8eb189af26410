import { expect } from "vitest";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import type { TraceEvent } from "../../src/index.js";
import { RunRecorder } from "../../src/recording.js";
import { eventsOf, SCENARIO, summaryOf } from "./framework-scenario.js";

export const IDENTIFIED = { identify: () => SCENARIO.identity };

/**
 * @param work runs agents; its own errors are ignored
 * @returns the ends of the recorded steps, in their order
 */
export async function endingsOf(work: (recorder: RunRecorder) => Promise<unknown>) {
  const source = createInMemoryInspectorDataSource();
  const errors: unknown[] = [];
  const recorder = new RunRecorder(source.sessionStore, { onError: (error) => errors.push(error) });
  await work(recorder).catch(() => undefined);
  await recorder.flush();
  expect(errors).toEqual([]);
  const { tenantId, sessionId } = SCENARIO.identity;
  const { session, errors: count } = await summaryOf(source, tenantId, sessionId);
  const ends = (await eventsOf(source)).filter(({ type }) => /^(turn|llm|tool)\.end$/.test(type));
  return { ends: ends.map(endingOf), status: session?.status, errors: count };
}

function endingOf({ type, outcome, error, isError, output, toolName }: TraceEvent): string {
  const what = type === "tool.end" ? `${toolName}` : type.replace(".end", "");
  const message = typeof error === "object" ? (error as { message?: string } | null)?.message : error;
  if (isError === true) return `${what} failed: ${output}`;
  return message === undefined ? `${what} ${outcome ?? "completed"}` : `${what} failed: ${message}`;
}

/** Aborts once it has a listener. */
export function abortWhenHeard(reason?: unknown): {
  readonly signal: AbortSignal;
  readonly abort: () => void;
} {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => setTimeout(() => controller.abort(reason)) };
}

export function untilAborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted === true) reject(signal.reason);
    signal?.addEventListener("abort", () => reject(signal.reason));
  });
}

export function streamOfParts<Part>(
  parts: readonly Part[],
  end: "close" | Error | AbortSignal | undefined,
): ReadableStream<Part> {
  let next = 0;
  return new ReadableStream({
    async pull(controller) {
      const part = parts[next++];
      if (part !== undefined) return controller.enqueue(part);
      if (end === "close") return controller.close();
      return end instanceof Error
        ? controller.error(end)
        : untilAborted(end).catch((reason) => controller.error(reason));
    },
  });
}

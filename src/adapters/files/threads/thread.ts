import { kTransferable, kValue, Tinypool } from "tinypool";
import { SourceChangedError, SourceUnavailableError } from "../../../application/errors.js";
import { WAITING, yieldToEventLoop } from "../../../application/threads/slices.js";

export interface ThreadRequest {
  readonly module: string;
  readonly name: string;
  readonly input: unknown;
  /** Not 0 if no caller waits any more; `undefined` if one always does. */
  readonly stop: Int32Array | undefined;
}

/** A message loses the class of an error, so `kind` carries the classes that callers distinguish. */
export type ThreadAnswer =
  | { readonly kind: "output"; readonly output: unknown }
  | { readonly kind: "stopped" }
  | { readonly kind: "changed"; readonly message: string }
  | { readonly kind: "unavailable"; readonly message: string; readonly cause: unknown }
  | { readonly kind: "failed"; readonly error: unknown };

/** Milliseconds until another task of the thread has its turn. */
const TURN_MS = 8;

export async function runTask({ module, name, input, stop }: ThreadRequest): Promise<unknown> {
  try {
    const existing = tasks.get(module);
    const steps = (existing ?? (await stepsIn(module)))[name]!(input);
    let begun = performance.now();
    for (;;) {
      const step = steps.next();
      if (step.done === true) return moved({ kind: "output", output: step.value });
      if (step.value !== WAITING && performance.now() - begun < TURN_MS) continue;
      await yieldToEventLoop();
      if (stop !== undefined && Atomics.load(stop, 0) !== 0) {
        steps.return(undefined);
        return { kind: "stopped" } satisfies ThreadAnswer;
      }
      begun = performance.now();
    }
  } catch (error) {
    return failureOf(error);
  }
}

/** Awaited only for the start of the thread. */
export function begin(): void {}

type Steps = Readonly<Record<string, (input: unknown) => Generator<unknown, unknown>>>;

/** Cached: a lookup costs less than an import, and short tasks are many. */
const tasks = new Map<string, Steps>();

export async function load(module: string): Promise<void> {
  await stepsIn(module);
}

/** Each under its name, or all of them as `steps`. */
async function stepsIn(module: string): Promise<Steps> {
  const loaded = (await import(module)) as Steps & { readonly steps?: Steps };
  const steps = loaded.steps ?? loaded;
  tasks.set(module, steps);
  return steps;
}

function failureOf(error: unknown): ThreadAnswer {
  if (error instanceof SourceChangedError) return { kind: "changed", message: error.message };
  if (error instanceof SourceUnavailableError) {
    return { kind: "unavailable", message: error.message, cause: error.cause };
  }
  return { kind: "failed", error };
}

/** Transfers the memory instead of a copy. */
function moved(answer: ThreadAnswer): unknown {
  const buffers = new Set<ArrayBuffer>();
  collectBuffers(answer, buffers);
  return Tinypool.move({ [kTransferable]: [...buffers], [kValue]: answer });
}

const MAX_DEPTH = 4;

function collectBuffers(value: unknown, into: Set<ArrayBuffer>, depth = 0): void {
  if (typeof value !== "object" || value === null) return;
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) into.add(value.buffer);
    return;
  }
  // The depth limit stops at lists of thousands of objects: a search costs more than their creation.
  if (depth === MAX_DEPTH) return;
  for (const member of Object.values(value)) collectBuffers(member, into, depth + 1);
}

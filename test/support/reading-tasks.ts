import { SourceChangedError, SourceUnavailableError } from "../../src/application/errors.js";

/** Goes on for so many milliseconds. */
export function* goOn({ ms }: { readonly ms: number }): Generator<void, string> {
  for (const end = performance.now() + ms; performance.now() < end; ) yield;
  return "done";
}

/** Goes on until it is stopped, and then sets a flag. */
export function* goOnForEver({ stopped }: { readonly stopped: Int32Array }): Generator<void, never> {
  try {
    for (;;) yield;
  } finally {
    Atomics.store(stopped, 0, 1);
  }
}

// biome-ignore lint/correctness/useYield: a task is a generator
export function* fail({ kind }: { readonly kind: string }): Generator<void, never> {
  if (kind === "changed") throw new SourceChangedError("a.jsonl is gone.");
  if (kind === "unavailable") throw new SourceUnavailableError("a.jsonl cannot be read.", { cause: "EIO" });
  throw new TypeError("something is broken");
}

let kept: string[] = [];

/** What the thread that it runs in has kept so far. */
// biome-ignore lint/correctness/useYield: a task is a generator
export function* keep({
  text,
}: {
  readonly text: string;
}): Generator<void, { kept: string[]; bytes: Uint8Array }> {
  kept = [...kept, text];
  return { kept, bytes: new TextEncoder().encode(text) };
}

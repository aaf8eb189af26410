/** Tasks for tests of a pool. They are JavaScript on the built package, because a thread loads them directly. */
import { SourceChangedError, SourceUnavailableError } from "../../dist/src/application/errors.js";

/**
 * @param {{ readonly ms: number }} input
 * @returns {Generator<void, string>}
 */
export function* goOn({ ms }) {
  for (const end = performance.now() + ms; performance.now() < end; ) yield;
  return "done";
}

/**
 * Runs until it is stopped, and then sets a flag.
 * @param {{ readonly stopped: Int32Array }} input
 * @returns {Generator<void, never>}
 */
export function* goOnForEver({ stopped }) {
  try {
    for (;;) yield;
  } finally {
    Atomics.store(stopped, 0, 1);
  }
}

/**
 * @param {{ readonly kind: string }} input
 * @returns {Generator<void, never>}
 */
// biome-ignore lint/correctness/useYield: a task is a generator
export function* fail({ kind }) {
  if (kind === "changed") throw new SourceChangedError("a.jsonl is gone.");
  if (kind === "unavailable") throw new SourceUnavailableError("a.jsonl cannot be read.", { cause: "EIO" });
  throw new TypeError("something is broken");
}

/** @type {string[]} */
let kept = [];

/**
 * Collects texts in its thread's memory.
 * @param {{ readonly text: string }} input
 * @returns {Generator<void, { kept: string[]; bytes: Uint8Array }>}
 */
// biome-ignore lint/correctness/useYield: a task is a generator
export function* keep({ text }) {
  kept = [...kept, text];
  return { kept, bytes: new TextEncoder().encode(text) };
}

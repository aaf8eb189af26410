import { isModelCall } from "../../domain/conversation/model-call-of.js";
import { targetsOf } from "../../domain/diagnosis/failures.js";
import { fileUseOf } from "../../domain/dialects/file-tools.js";
import { addTo, firstWhere } from "../../domain/lists/lists.js";
import type { Span } from "../../domain/spans/span.js";

const MOST_CHANGES = 20;

export class Changes {
  readonly #byPath = new Map<string, Span[]>();
  readonly #byFrame = new Map<string, Span[]>();

  constructor(spans: readonly Span[]) {
    const changes = spans.filter(changesFiles).sort((a, b) => a.start.index - b.start.index);
    for (const change of changes) {
      for (const path of change.start.subject.paths) addTo(this.#byPath, path, change);
      addTo(this.#byFrame, frameOf(change), change);
    }
  }

  before(span: Span): readonly Span[] {
    const { paths } = span.start.subject;
    const target =
      paths.length === 0
        ? (this.#byFrame.get(frameOf(span)) ?? [])
        : paths.flatMap((path) => this.#byPath.get(path) ?? []);
    return target.filter(({ start }) => start.index < span.start.index).slice(-MOST_CHANGES);
  }
}

/** Successful steps: steps after a failure show its severity. */
export class Successes {
  readonly #by = new Map<string, Span[]>();

  constructor(spans: readonly Span[]) {
    const steps = spans.filter((span) => (span.kind === "tool" || isModelCall(span)) && hasSucceeded(span));
    for (const step of steps.sort((a, b) => a.start.index - b.start.index))
      for (const key of keysOf(step)) addTo(this.#by, key, step);
  }

  behind(span: Span): readonly Span[] {
    const endIndex = Math.max(span.start.index, span.end?.index ?? 0);
    return keysOf(span).flatMap((key) => {
      const steps = this.#by.get(key) ?? [];
      return steps[firstWhere(0, steps.length, (i) => steps[i]!.start.index > endIndex)] ?? [];
    });
  }
}

function keysOf(span: Span): readonly string[] {
  const frame = frameOf(span);
  const keys = [`all ${frame}`, ...(span.kind === "tool" ? [] : [`model ${frame}`])];
  return span.kind === "tool" ? [...keys, ...targetsOf(span).map((target) => `about ${target}`)] : keys;
}

function hasSucceeded({ end, start }: Span): boolean {
  return end !== undefined && end.error === undefined && start.error === undefined;
}

function changesFiles({ kind, name, start }: Span): boolean {
  if (kind !== "tool" || start.subject.paths.length === 0) return false;
  const use = fileUseOf(name);
  return use === "writes" || use === "edits" || /patch/i.test(name);
}

function frameOf(span: Span): string {
  for (let at: Span | undefined = span; at !== undefined && at.agentId === span.agentId; at = at.parent)
    if (at.kind === "turn") return at.id;
  return `agent ${span.agentId}`;
}

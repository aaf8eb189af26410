import { compactionsBefore } from "./compactions-before.js";
import { MOST_LISTED } from "./most-listed.js";
import { filesReadBy } from "./reading-tools.js";
import { addStep } from "./repeated-calls.js";
import type { SessionSteps, ToolCall } from "./session-steps.js";

/** Files that were read again, by whichever agent. A reading that failed or that a person refused is none. */
export interface RereadFiles extends Rereads {
  /** How many files were read more than once. */
  readonly count: number;
  /** Of these the 50 with the largest `unchangedSize`; of the same size those that were read most. */
  readonly files: readonly RereadFile[];
}

/** Readings of files that had been read before. `unchanged`, `changed` and `otherParts` are all of them. */
export interface Rereads {
  /** The same part gave the same text. */
  readonly unchanged: number;
  /** The same part gave another text. */
  readonly changed: number;
  /** With an input that is new for the file: another part of it, or another way to read it. */
  readonly otherParts: number;
  /** Those of all three that came after a compaction of their agent since it had read the file. */
  readonly afterCompaction: number;
  /** Characters of the results of the `unchanged` ones. A call that read several files has its share for each. */
  readonly unchangedSize: number;
}

export interface RereadFile extends Rereads {
  /** As the tool was given it. */
  readonly path: string;
  /** How many readings there are, the first one included. */
  readonly reads: number;
  /** The first 50 of them. */
  readonly stepIds: readonly string[];
  /** The first 50 of the `unchanged` ones. */
  readonly unchangedStepIds: readonly string[];
}

type File = { -readonly [Name in keyof RereadFile]: RereadFile[Name] } & {
  stepIds: string[];
  unchangedStepIds: string[];
  /** What each input gave when it was read last. */
  readonly results: Map<string, number | undefined>;
  /** When each agent read it last. */
  readonly lastAt: Map<string, number>;
};

export function rereadFiles(steps: SessionSteps): RereadFiles {
  const files = new Map<string, File>();
  const compactions = compactionsBefore(steps);
  for (const call of steps.tools) {
    if (call.isRefused || call.error !== undefined) continue;
    const paths = new Set(filesReadBy(call));
    for (const path of paths) {
      const file = files.get(path) ?? newFile(path);
      files.set(path, file);
      addReading(file, call, Math.round(call.outputSize / paths.size));
      const { agentId, at } = call;
      const lastAt = file.lastAt.get(agentId);
      if (lastAt !== undefined && compactions(agentId, at) > compactions(agentId, lastAt))
        file.afterCompaction++;
      file.lastAt.set(agentId, at);
    }
  }
  return summed([...files.values()].filter(({ reads }) => reads > 1));
}

function addReading(file: File, { name, inputHash, outputHash, stepId }: ToolCall, size: number): void {
  const input = `${inputHash} ${name}`;
  file.reads++;
  addStep(file.stepIds, stepId);
  if (file.reads > 1) {
    if (!file.results.has(input)) file.otherParts++;
    else if (outputHash === undefined || file.results.get(input) !== outputHash) file.changed++;
    else {
      file.unchanged++;
      file.unchangedSize += size;
      addStep(file.unchangedStepIds, stepId);
    }
  }
  file.results.set(input, outputHash);
}

function summed(files: readonly File[]): RereadFiles {
  const sum = { unchanged: 0, changed: 0, otherParts: 0, afterCompaction: 0, unchangedSize: 0 };
  for (const { unchanged, changed, otherParts, afterCompaction, unchangedSize } of files) {
    sum.unchanged += unchanged;
    sum.changed += changed;
    sum.otherParts += otherParts;
    sum.afterCompaction += afterCompaction;
    sum.unchangedSize += unchangedSize;
  }
  const largest = files.toSorted((a, b) => b.unchangedSize - a.unchangedSize || b.reads - a.reads);
  return {
    ...sum,
    count: files.length,
    files: largest.slice(0, MOST_LISTED).map(({ results: _, lastAt: __, ...file }) => file),
  };
}

function newFile(path: string): File {
  return {
    path,
    reads: 0,
    stepIds: [],
    unchangedStepIds: [],
    unchanged: 0,
    changed: 0,
    otherParts: 0,
    afterCompaction: 0,
    unchangedSize: 0,
    results: new Map(),
    lastAt: new Map(),
  };
}

import { filesReadBy } from "../dialects/file-tools.js";
import { firstWhere, groupBy } from "../lists/lists.js";
import { MOST_LISTED, type SessionSteps, type ToolCall } from "../steps/session-steps.js";

/** Calls of any agent with an earlier input. */
export interface RepeatedCalls {
  /** Without the first call of each input. */
  readonly calls: number;
  readonly unchanged: number;
  /** Calls after a compaction of their agent, which may have dropped the previous result. */
  readonly afterCompaction: number;
  /** Characters of the results of `unchanged` calls. */
  readonly unchangedSize: number;
  readonly inputs: number;
  /** The 50 with the largest `unchangedSize`, then the most frequent ones. */
  readonly groups: readonly RepeatedCall[];
}

interface RepeatedCall {
  readonly name: string;
  readonly subject: string;
  /** With the first one: two or more. */
  readonly times: number;
  /** The first 50. */
  readonly stepIds: readonly string[];
  /** The first 50. */
  readonly unchangedStepIds: readonly string[];
  /** Longest run without another tool call of the agent between them; a loop from 3 on. */
  readonly inARow: number;
  readonly unchanged: number;
  readonly afterCompaction: number;
  readonly unchangedSize: number;
}

const MOST_STEPS = 50;

type Group = { -readonly [Name in keyof RepeatedCall]: RepeatedCall[Name] } & {
  stepIds: string[];
  unchangedStepIds: string[];
  outputHash: number | undefined;
  readonly lastAt: Map<string, number>;
};

export function repeatedCalls(steps: SessionSteps): RepeatedCalls {
  const groups = new Map<string, Group>();
  const runs = new Map<string, { readonly group: Group | undefined; readonly length: number }>();
  const isAfterCompaction = compactionsBetween(steps);
  for (const call of steps.tools) {
    const { name, inputHash, subject, agentId, stepId, outputHash, outputSize } = call;
    const key = `${inputHash} ${name}`;
    const existing = groups.get(key);
    const group = inputHash === undefined ? undefined : (existing ?? newGroup(name, subject));
    const run = runs.get(agentId);
    const length = group !== undefined && run?.group === group ? run.length + 1 : 1;
    runs.set(agentId, { group, length });
    if (group === undefined) continue;
    groups.set(key, group);
    group.times++;
    addStep(group.stepIds, stepId);
    group.inARow = Math.max(group.inARow, length);
    if (existing !== undefined && outputHash !== undefined && outputHash === group.outputHash) {
      group.unchanged++;
      group.unchangedSize += outputSize;
      addStep(group.unchangedStepIds, stepId);
    }
    if (isAfterCompaction(group.lastAt, call)) group.afterCompaction++;
    group.outputHash = outputHash;
  }
  const repeated = [...groups.values()].filter(({ times }) => times > 1);
  const largest = repeated.toSorted((a, b) => b.unchangedSize - a.unchangedSize || b.times - a.times);
  return {
    calls: repeated.reduce((sum, { times }) => sum + times - 1, 0),
    ...sumsOf(repeated, ["unchanged", "afterCompaction", "unchangedSize"]),
    inputs: repeated.length,
    groups: largest.slice(0, MOST_LISTED).map(({ outputHash: _, lastAt: __, ...group }) => group),
  };
}

function sumsOf<Name extends string>(
  all: readonly { readonly [Member in Name]: number }[],
  names: readonly Name[],
): { readonly [Member in Name]: number } {
  const sums = names.map((name) => [name, all.reduce((sum, one) => sum + one[name], 0)]);
  return Object.fromEntries(sums);
}

function newGroup(name: string, subject: string): Group {
  return {
    name,
    subject,
    times: 0,
    stepIds: [],
    unchangedStepIds: [],
    inARow: 0,
    unchanged: 0,
    afterCompaction: 0,
    unchangedSize: 0,
    outputHash: undefined,
    lastAt: new Map(),
  };
}

export function addStep(stepIds: string[], stepId: string): void {
  if (stepIds.length < MOST_STEPS) stepIds.push(stepId);
}

/** Readings by any agent, without failed and refused ones. */
export interface RereadFiles extends Rereads {
  readonly count: number;
  /** The 50 with the largest `unchangedSize`, then those with the most readings. */
  readonly files: readonly RereadFile[];
}

/** Repeated readings: the sum of `unchanged`, `changed` and `otherParts`. */
interface Rereads {
  readonly unchanged: number;
  readonly changed: number;
  /** With a new input for the file: another part, or another way to read it. */
  readonly otherParts: number;
  /** Readings after a compaction since the agent's previous reading of the file. */
  readonly afterCompaction: number;
  /** Characters of `unchanged` results. A call that read several files has its share for each. */
  readonly unchangedSize: number;
}

interface RereadFile extends Rereads {
  readonly path: string;
  /** With the first one. */
  readonly reads: number;
  /** The first 50. */
  readonly stepIds: readonly string[];
  /** The first 50. */
  readonly unchangedStepIds: readonly string[];
}

type File = { -readonly [Name in keyof RereadFile]: RereadFile[Name] } & {
  stepIds: string[];
  unchangedStepIds: string[];
  readonly results: Map<string, number | undefined>;
  readonly lastAt: Map<string, number>;
};

export function rereadFiles(steps: SessionSteps): RereadFiles {
  const files = new Map<string, File>();
  const isAfterCompaction = compactionsBetween(steps);
  for (const call of steps.tools) {
    if (call.isRefused || call.error !== undefined) continue;
    const paths = new Set(filesReadBy(call));
    for (const path of paths) {
      const file = files.get(path) ?? newFile(path);
      files.set(path, file);
      addReading(file, call, Math.round(call.outputSize / paths.size));
      if (isAfterCompaction(file.lastAt, call)) file.afterCompaction++;
    }
  }
  const reread = [...files.values()].filter(({ reads }) => reads > 1);
  const largest = reread.toSorted((a, b) => b.unchangedSize - a.unchangedSize || b.reads - a.reads);
  return {
    ...sumsOf(reread, ["unchanged", "changed", "otherParts", "afterCompaction", "unchangedSize"]),
    count: reread.length,
    files: largest.slice(0, MOST_LISTED).map(({ results: _, lastAt: __, ...file }) => file),
  };
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

function compactionsBetween({
  compactions,
}: SessionSteps): (lastAt: Map<string, number>, call: ToolCall) => boolean {
  const endsOf = groupBy(
    compactions.toSorted((a, b) => a.endAt - b.endAt),
    ({ agentId }) => agentId,
  );
  return (lastAt, { agentId, at }) => {
    const before = lastAt.get(agentId) ?? at;
    lastAt.set(agentId, at);
    const ends = endsOf.get(agentId) ?? [];
    const next = ends[firstWhere(0, ends.length, (i) => ends[i]!.endAt > before)];
    return next !== undefined && next.endAt <= at;
  };
}

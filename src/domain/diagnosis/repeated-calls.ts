import { filesReadBy } from "../dialects/file-tools.js";
import { firstWhere, groupBy } from "../lists/lists.js";
import { MOST_LISTED, type SessionSteps, type ToolCall } from "../steps/session-steps.js";

/** Tools that were called again with the input that they had before, by whichever agent. */
export interface RepeatedCalls {
  /** Number of calls after the first one with the same input. */
  readonly calls: number;
  /** Those of them whose result was that of the call before. */
  readonly unchanged: number;
  /** Those that came after a compaction of their agent, which may have dropped the result of the call before. */
  readonly afterCompaction: number;
  /** Characters of the results of the `unchanged` calls. */
  readonly unchangedSize: number;
  /** Number of repeated inputs. */
  readonly inputs: number;
  /** Of these the 50 with the largest `unchangedSize`; of the same size the most frequent ones. */
  readonly groups: readonly RepeatedCall[];
}

/** The calls of one tool with the same input. */
interface RepeatedCall {
  readonly name: string;
  /** Their subject, in a line. */
  readonly subject: string;
  /** Number of calls, including the first one: two or more. */
  readonly times: number;
  /** The first 50 of them. */
  readonly stepIds: readonly string[];
  /** The first 50 of those whose result was that of the call before. */
  readonly unchangedStepIds: readonly string[];
  /** Longest run of such calls without another tool of the agent between them; a loop from 3 on. */
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
  /** When each agent made the last one of the calls. */
  readonly lastAt: Map<string, number>;
};

export function repeatedCalls(steps: SessionSteps): RepeatedCalls {
  const groups = new Map<string, Group>();
  const runs = new Map<string, { readonly group: Group | undefined; readonly length: number }>();
  const isAfterCompaction = compactionsBetween(steps);
  for (const call of steps.tools) {
    const { name, inputHash, subject, agentId, stepId, outputHash, outputSize } = call;
    const key = `${inputHash} ${name}`;
    const known = groups.get(key);
    const group = inputHash === undefined ? undefined : (known ?? newGroup(name, subject));
    const run = runs.get(agentId);
    const length = group !== undefined && run?.group === group ? run.length + 1 : 1;
    runs.set(agentId, { group, length });
    if (group === undefined) continue;
    groups.set(key, group);
    group.times++;
    addStep(group.stepIds, stepId);
    group.inARow = Math.max(group.inARow, length);
    if (known !== undefined && outputHash !== undefined && outputHash === group.outputHash) {
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

/** Adds the id of a step to a list that names the first ones only. */
export function addStep(stepIds: string[], stepId: string): void {
  if (stepIds.length < MOST_STEPS) stepIds.push(stepId);
}

/** Files that any agent read again. A failed or refused reading does not count. */
export interface RereadFiles extends Rereads {
  /** Number of files that were read more than once. */
  readonly count: number;
  /** Of these the 50 with the largest `unchangedSize`; of the same size those that were read most. */
  readonly files: readonly RereadFile[];
}

/** Readings of files that had been read before. `unchanged`, `changed` and `otherParts` are all of them. */
interface Rereads {
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

interface RereadFile extends Rereads {
  /** The path as in the tool's input. */
  readonly path: string;
  /** Number of readings, including the first one. */
  readonly reads: number;
  /** The first 50 of them. */
  readonly stepIds: readonly string[];
  /** The first 50 of the `unchanged` ones. */
  readonly unchangedStepIds: readonly string[];
}

type File = { -readonly [Name in keyof RereadFile]: RereadFile[Name] } & {
  stepIds: string[];
  unchangedStepIds: string[];
  /** The last result for each input. */
  readonly results: Map<string, number | undefined>;
  /** When each agent read it last. */
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

/** True if the context of the calling agent was compacted since its last equal call. The map stores the positions of these calls. */
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

import { compactionsBefore } from "./compactions-before.js";
import { MOST_LISTED } from "./most-listed.js";
import type { SessionSteps } from "./session-steps.js";

/** Tools that were called again with the input that they had before, by whichever agent. */
export interface RepeatedCalls {
  /** How many calls came after one with the same input. */
  readonly calls: number;
  /** Those of them whose result was that of the call before. */
  readonly unchanged: number;
  /** Those that came after a compaction of their agent, which may have dropped the result of the call before. */
  readonly afterCompaction: number;
  /** Characters of the results of the `unchanged` calls. */
  readonly unchangedSize: number;
  /** How many inputs there are that came again. */
  readonly inputs: number;
  /** Of these the 50 with the largest `unchangedSize`; of the same size the most frequent ones. */
  readonly groups: readonly RepeatedCall[];
}

/** The calls of one tool with the same input. */
export interface RepeatedCall {
  readonly name: string;
  /** What they are about, in a line. */
  readonly subject: string;
  /** How many calls there are, the first one included: two or more. */
  readonly times: number;
  /** The first 50 of them. */
  readonly stepIds: readonly string[];
  /** The first 50 of those whose result was that of the call before. */
  readonly unchangedStepIds: readonly string[];
  /** How many of them came one after the other, at most, with no other tool of the agent between: from 3 on a loop. */
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
  const compactions = compactionsBefore(steps);
  for (const call of steps.tools) {
    const { name, inputHash, subject, agentId, stepId, outputHash, outputSize, at } = call;
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
    const lastAt = group.lastAt.get(agentId);
    if (lastAt !== undefined && compactions(agentId, at) > compactions(agentId, lastAt))
      group.afterCompaction++;
    group.lastAt.set(agentId, at);
    group.outputHash = outputHash;
  }
  return summed([...groups.values()].filter(({ times }) => times > 1));
}

function summed(groups: readonly Group[]): RepeatedCalls {
  const sum = { calls: 0, unchanged: 0, afterCompaction: 0, unchangedSize: 0 };
  for (const { times, unchanged, afterCompaction, unchangedSize } of groups) {
    sum.calls += times - 1;
    sum.unchanged += unchanged;
    sum.afterCompaction += afterCompaction;
    sum.unchangedSize += unchangedSize;
  }
  const largest = groups.toSorted((a, b) => b.unchangedSize - a.unchangedSize || b.times - a.times);
  return {
    ...sum,
    inputs: groups.length,
    groups: largest.slice(0, MOST_LISTED).map(({ outputHash: _, lastAt: __, ...group }) => group),
  };
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

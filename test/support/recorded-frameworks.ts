import path from "node:path";
import { expect, onTestFinished } from "vitest";
import { createFilesystemInspectorDataSource } from "../../src/advanced.js";
import { temporaryFolder } from "./data-directory.js";
import { FRAMEWORK_RUNS, runFramework } from "./framework-runs.js";
import { EXPECTED_SUMMARY, SCENARIO, summaryOf } from "./framework-scenario.js";

export type FrameworkName = keyof typeof FRAMEWORK_RUNS;

export const FRAMEWORKS = Object.keys(FRAMEWORK_RUNS) as FrameworkName[];

/** Mastra merges the steps of a turn when it repeats them in the next one: they are replaced. */
const TOLD_AGAIN = ["system", "user", "assistant", "tool", "assistant", "user"];

/** Some snippets call their agent themselves, which gives these sessions. */
const CALLED: Readonly<Record<string, readonly object[]>> = {
  langgraph: [{ title: SCENARIO.turns[0], turns: 1 }],
  "ai-sdk-6": [{ title: SCENARIO.turns[0], turns: 1 }],
};

export function recordedIn(folder: string) {
  const source = createFilesystemInspectorDataSource(path.join(folder, "data"));
  onTestFinished(() => source.close?.());
  return source;
}

/** Runs an agent as `docs/frameworks.md` sets it up, and compares the records with the scenario. */
export async function expectRecorded(name: FrameworkName, skip: (reason: string) => void): Promise<void> {
  const folder = await temporaryFolder();
  const reason = await runFramework(name, folder);
  if (reason !== undefined) return skip(reason);
  const source = recordedIn(folder);
  const summary = await summaryOf(source, "acme", "s1");
  const conversation = name === "mastra" ? TOLD_AGAIN : EXPECTED_SUMMARY.conversation;
  expect(summary).toEqual({ ...EXPECTED_SUMMARY, conversation });
  const others = (await source.listSessions()).filter(({ tenantId }) => tenantId !== "acme");
  expect(others.map(({ title, turns }) => ({ title, turns }))).toEqual(CALLED[name] ?? []);
}

import { symlink } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { assistantRecord, lines, newProjects, openHistories, userRecord } from "./support/projects.js";

const CALLED = [{ type: "tool_use", id: "t1", name: "Bash", input: { command: "seq 1 9" } }];
const GIVEN = [{ type: "tool_result", tool_use_id: "t1", content: "<persisted-output>\n1\n2\n" }];

function historyWith(persistedOutputPath: unknown): string {
  return lines(
    userRecord(1, 1, "Count."),
    assistantRecord(2, 2, "m1", CALLED),
    userRecord(3, 3, GIVEN, { toolUseResult: { stdout: "1\n2\n", persistedOutputPath } }),
  );
}

async function endIn(root: string) {
  const trace = await openHistories(root).loadTraceEnvelopes("p", "s");
  return trace.find(({ event }) => event.type === "tool.end")!.event;
}

it.each(["/home/ada/.claude/projects/p/s/tool-results/b1.txt", "C:\\Users\\ada\\p\\s\\tool-results\\b1.txt"])(
  "names the file of the session that holds all of an output: %s",
  async (persistedOutputPath) => {
    const root = await newProjects({
      "p/s.jsonl": historyWith(persistedOutputPath),
      "p/s/tool-results/b1.txt": "1\n2\n3\n",
    });
    expect((await endIn(root)).persisted).toEqual({ file: "s/tool-results/b1.txt", bytes: 6 });
  },
);

it.each([
  "/etc/hostname",
  "/p/s/tool-results/..",
  "/p/s/tool-results/",
  "..\\..\\..\\secret.txt",
  "a\0b",
  "x".repeat(5_000),
  7,
])("names none that is not there: %j", async (persistedOutputPath) => {
  const root = await newProjects({
    "p/s.jsonl": historyWith(persistedOutputPath),
    "p/secret.txt": "x",
    "p/s/tool-results/b1.txt": "1",
  });
  expect(await endIn(root)).not.toHaveProperty("persisted");
});

it("names none that leads out of the session's folder", async () => {
  const root = await newProjects({
    "p/s.jsonl": historyWith("/p/s/tool-results/b1.txt"),
    "p/s/tool-results/b2.txt": "1",
    "p/other/tool-results/b1.txt": "A secret.",
  });
  await symlink(path.join(root, "p/other/tool-results/b1.txt"), path.join(root, "p/s/tool-results/b1.txt"));
  expect(await endIn(root)).not.toHaveProperty("persisted");
});

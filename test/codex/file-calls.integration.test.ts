import { expect, it } from "vitest";
import { recordFileCalls } from "../support/count-file-calls.js";
import { lines, newHome, rolloutOf } from "./support/homes.js";

it("A rollout whose long first line does not say what thread it is, is read for that once, while it is the same", async () => {
  const home = await newHome({ [rolloutOf("long")]: lines([["x", { text: "a".repeat(500_000) }]]) });
  const calls = await recordFileCalls(
    `import { createCodexDataSource } from "./dist/src/codex.js";
     const source = createCodexDataSource(process.argv[2], { threads: false });
     stage("first");
     await source.listSessions();
     stage("again");
     await source.listSessions();`,
    { below: home, args: [home] },
  );
  const readIn = (name: string) =>
    calls.reduce((sum, { stage, bytes = 0 }) => (stage === name ? sum + bytes : sum), 0);
  expect(readIn("first")).toBeGreaterThan(500_000);
  expect(readIn("again")).toBeLessThan(100_000);
});

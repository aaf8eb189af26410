import { describe, it } from "vitest";
import { createClaudeCodeDataSource } from "../../src/claude-code.js";
import { describeDerivedSource } from "../contract/describe-derived-source.js";
import { sharedThread } from "../support/pools.js";
import { inTurn } from "../support/shared-histories.js";
import { FIXTURES } from "./support/projects.js";
import { HAS_HISTORIES, projectsFolders, WITHOUT_HISTORIES } from "./support/real-histories.js";

const pool = sharedThread();
const options = { isHistory: (file: string) => file.endsWith(".jsonl") };

describeDerivedSource(
  "ClaudeCodeDataSource",
  (folder) => createClaudeCodeDataSource(folder, { pool }),
  [{ name: "invented histories", folder: FIXTURES }],
  options,
);

describeDerivedSource(
  "ClaudeCodeDataSource without threads",
  (folder) => createClaudeCodeDataSource(folder, { threads: false }),
  [
    { name: "invented histories", folder: FIXTURES },
    ...inTurn(projectsFolders(), ([, folder]) => folder).map(([name, folder]) => ({ name, folder })),
  ],
  options,
);

describe.skipIf(HAS_HISTORIES)("real histories", () => {
  it.skip(`are held to the same${WITHOUT_HISTORIES}`, () => undefined);
});

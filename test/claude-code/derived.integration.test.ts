import { describe, it } from "vitest";
import { createClaudeCodeDataSource } from "../../src/claude-code.js";
import { describeDerivedSource } from "../contract/describe-derived-source.js";
import { sharedThread } from "../support/pools.js";
import { sized } from "../support/soak.js";
import { FIXTURES } from "./support/projects.js";
import { HAS_HISTORIES, projectsFolders, WITHOUT_HISTORIES } from "./support/real-histories.js";

const pool = sharedThread();
const options = { isHistory: (file: string) => file.endsWith(".jsonl") };

/** The largest ones take most of the time: only a soak reads them. */
const LARGEST = ["spotter", "entire-cli"];
const LEFT_OUT = LARGEST.slice(sized(0, LARGEST.length));

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
    ...projectsFolders()
      .filter(([name]) => !LEFT_OUT.includes(name))
      .map(([name, folder]) => ({ name, folder })),
  ],
  options,
);

describe.skipIf(HAS_HISTORIES)("real histories", () => {
  it.skip(`are held to the same${WITHOUT_HISTORIES}`, () => undefined);
});

import { createClaudeCodeDataSource } from "../../src/claude-code.js";
import { describeDerivedSource } from "../contract/describe-derived-source.js";
import { sharedThread } from "../support/pools.js";
import { inTurn } from "../support/shared-histories.js";
import { allProjects } from "./support/all-projects.js";
import { FIXTURES } from "./support/projects.js";

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
  inTurn(allProjects(), ([, folder]) => folder).map(([name, folder]) => ({ name, folder })),
  options,
);

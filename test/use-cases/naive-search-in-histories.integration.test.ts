import { describe, expect, it } from "vitest";
import { createClaudeCodeDataSource } from "../../src/claude-code.js";
import { allProjects } from "../claude-code/support/all-projects.js";
import { sharedThread } from "../support/pools.js";
import { inTurn } from "../support/shared-histories.js";
import { runs, sized } from "../support/soak.js";
import { CHOSEN, expectEqual } from "./support/naive-queries.js";

const pool = sharedThread();

/** Needles for each folder: more for folders that read fast. */
const RANDOM: Readonly<Record<string, number>> = {
  "agent-sessions": 150,
  agtrace: 150,
  "ai-blame": 120,
  agentcmd: 40,
  "claude-code-viewer": 20,
  sniffly: 12,
  "entire-cli": 4,
  spotter: 4,
};

describe("a search of histories", () => {
  it.each(inTurn(allProjects(), ([, folder]) => folder))(
    "of %s finds what looking at every string finds",
    { timeout: 240_000 },
    async (name, folder) => {
      const source = createClaudeCodeDataSource(folder, { pool });
      const random = runs(RANDOM[name] ?? 4);
      const chosen = CHOSEN.slice(0, random < 10 ? sized(4, CHOSEN.length) : undefined);
      expect(await expectEqual(source, random, chosen)).toBeGreaterThan(0);
    },
  );
});

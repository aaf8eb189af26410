import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createClaudeCodeDataSource } from "../../src/claude-code.js";
import { HAS_HISTORIES, projectsFolders, WITHOUT_HISTORIES } from "./support/real-histories.js";
import { summarize } from "./support/summarize.js";

/** Summaries that a person has checked against the files. To renew one on purpose: `vitest -u`, and read the difference. */
const CHECKED = [
  ["smallest", "sniffly", "ff71dbed-a4f2-4284-a4fc-fe2fb90de929"],
  ["largest", "spotter", "8463c716-a2ea-4c14-9efa-87158ebd9f20"],
  ["with-sub-agents", "claude-code-viewer", "5c0375b4-57a5-4f26-b12d-d022ee4e51b7"],
  ["with-compaction", "entire-cli", "3ae3ab59-52bc-413d-ad30-02b165c91785"],
  ["with-api-errors", "agent-sessions", "small"],
  ["version-1.0", "sniffly", "d3ad4cdc-5657-435d-98fa-0035d53e383d"],
] as const;

describe.skipIf(!HAS_HISTORIES)(`golden summaries${WITHOUT_HISTORIES}`, () => {
  it.each(CHECKED)("%s", async (name, project, sessionId) => {
    const [, folder] = projectsFolders().find(([found]) => found === project)!;
    const summary = await summarize(createClaudeCodeDataSource(folder), sessionId);
    const file = path.join(import.meta.dirname, "golden", `${name}.md`);
    await expect(summary).toMatchFileSnapshot(file);
    expect(readFileSync(file, "utf8")).toContain(sessionId);
  });
});

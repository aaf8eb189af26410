import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { createClaudeCodeDataSource } from "../../src/claude-code.js";
import type { InspectorSessionItem } from "../../src/index.js";
import { describeShared } from "../support/shared-suites.js";
import { projectsFolders } from "./support/real-histories.js";
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

/** Another program counted these in the same files. */
const COUNTED: Readonly<
  Record<string, Pick<InspectorSessionItem, "errors" | "model" | "prompt" | "lastAnswer">>
> = {
  "ff71dbed-a4f2-4284-a4fc-fe2fb90de929": { errors: 0 },
  "8463c716-a2ea-4c14-9efa-87158ebd9f20": {
    errors: 15,
    model: "claude-opus-4-6",
    prompt:
      "Work on bead spotter-fum. Run bd show spotter-fum to see the issue details and bd ready to find available subtasks. " +
      "Start with the first ready task.",
    lastAnswer: expect.stringMatching(/^That's a notification from a background task that was starte.*…$/),
  },
  "5c0375b4-57a5-4f26-b12d-d022ee4e51b7": {
    errors: 3,
    model: "claude-sonnet-4-20250514",
    lastAnswer: expect.stringMatching(
      /^CLAUDE.mdファイルを最新の状態にアップデートしました。主な更新内容： \*\*技術スタック更新:\*\* - Next\..*…$/,
    ),
  },
  // Two in the session itself, three in the progress records of its sub-agent; without two that a person refused.
  "3ae3ab59-52bc-413d-ad30-02b165c91785": {
    errors: 2 + 3 - 2,
    model: "claude-opus-4-6",
    prompt: expect.stringMatching(/^Implement the following plan: # Plan: Add CLI Version to Che.*…$/),
    lastAnswer: "I have all the information I need. Now let me update the plan file with the unit test plan.",
  },
  // Five errors of the API, and two hooks; the tool that came back as an error was refused by a person.
  small: {
    errors: 5 + 2,
    model: "claude-sonnet-5",
    prompt: "[trimmed for fixture]",
    lastAnswer: "[trimmed for fixture]",
  },
  "d3ad4cdc-5657-435d-98fa-0035d53e383d": {
    errors: 4,
    model: "claude-sonnet-4-20250514",
    prompt: "create a jupyter notebook file so that i can test each step of the way",
    lastAnswer: expect.stringMatching(/^You're absolutely right. Looking at the analysis, I can see .*…$/),
  },
};

describeShared("golden summaries of Claude Code", () => {
  it.each(CHECKED)("%s", async (name, project, sessionId) => {
    const [, folder] = projectsFolders().find(([found]) => found === project)!;
    const summary = await summarize(createClaudeCodeDataSource(folder, { threads: false }), sessionId);
    const file = path.join(import.meta.dirname, "golden", `${name}.md`);
    await expect(summary).toMatchFileSnapshot(file);
    expect(readFileSync(file, "utf8")).toContain(sessionId);
  });

  it.each(CHECKED)("%s: what failed, and what was said", async (_, project, sessionId) => {
    const [, folder] = projectsFolders().find(([found]) => found === project)!;
    const items = await createClaudeCodeDataSource(folder, { threads: false }).listSessions();
    const { errors, model, prompt, lastAnswer } = items.find((item) => item.sessionId === sessionId)!;
    expect({ errors, model, prompt, lastAnswer }).toEqual(COUNTED[sessionId]);
  });
});

import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { InspectorDataSource } from "../../src/application/ports/inspector-data-source.js";
import { CompareSessions } from "../../src/application/questions/compare-sessions.js";
import { SummarizeSession } from "../../src/application/questions/summarize-session.js";
import { createClaudeCodeDataSource } from "../../src/claude-code.js";
import { createCodexDataSource } from "../../src/codex.js";
import type { SessionSummary } from "../../src/domain/analysis/session-summary.js";
import type { ListedSession } from "../../src/domain/usage/model-usage.js";
import { createGeminiCliDataSource } from "../../src/gemini-cli.js";
import { DATA } from "../codex/support/real-homes.js";
import { sized } from "../support/soak.js";

const OPTIONS = { threads: false } as const;
const FIXTURES = path.resolve(import.meta.dirname, "../claude-code/fixtures/samples");

/** What takes longer than all the others together: in a soak alone. */
const LARGE = ["spotter", "session-bridge", "entire-cli"].slice(sized(0, 3));

/** The folders of real and invented histories, where they are beside the repository, and fixtures. */
function histories(): [name: string, open: () => InspectorDataSource][] {
  const found: [string, () => InspectorDataSource][] = [
    ["fixtures", () => createClaudeCodeDataSource(FIXTURES, OPTIONS)],
  ];
  for (const group of ["claude-code", "codex", "gemini-cli", "synthetic"]) {
    for (const name of namesIn(path.join(DATA, group)).filter((one) => !LARGE.includes(one))) {
      const folder = path.join(DATA, group, name);
      const projects = path.join(folder, "projects");
      found.push([
        `${group}/${name}`,
        () => {
          if (existsSync(projects)) return createClaudeCodeDataSource(projects, OPTIONS);
          const isGemini = group === "gemini-cli" || existsSync(path.join(folder, "tmp"));
          return isGemini
            ? createGeminiCliDataSource(folder, OPTIONS)
            : createCodexDataSource(folder, OPTIONS);
        },
      ]);
    }
  }
  return found;
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** The same source, of which records are read as text. */
function readAsText(source: InspectorDataSource): InspectorDataSource {
  return {
    ...source,
    async openSession(...of) {
      const session = await source.openSession!(...of);
      return (
        session && {
          revision: undefined,
          trace: () => session.trace(),
          messages: (agentId) => session.messages(agentId),
          orchestration: () => session.orchestration(),
        }
      );
    },
  };
}

function placeholdersIn({ usageByModel = [] }: ListedSession): number {
  return usageByModel.reduce((sum, { placeholderCalls = 0 }) => sum + placeholderCalls, 0);
}

describe("a session that is added up where its records are read", () => {
  it.each(histories())("gives the answers that its records give as text: %s", async (name, open) => {
    const source = open();
    // The list knows of no other format how much an answer wrote.
    const isClaudeCode = name === "fixtures" || name.startsWith("claude-code/");
    const text = readAsText(source);
    const sessions = await source.listSessions();
    for (const listed of sessions) {
      const { tenantId, sessionId } = listed;
      const session = (await source.openSession!(tenantId, sessionId))!;
      expect(session.analyse).toBeTypeOf("function");
      const of = { tenantId, sessionId };
      const [added, read] = await Promise.all(
        [source, text].map((one) => new SummarizeSession(one).execute(of)),
      );
      const { value } = added as { readonly value: SessionSummary };
      if (isClaudeCode) expect(placeholdersIn(listed)).toBe(value.total.placeholderCalls);
      expect(JSON.stringify({ ...added, revision: undefined })).toBe(
        JSON.stringify({ ...read, revision: undefined }),
      );
    }
    const [a, b = a] = sessions;
    // One of the folders holds files of another sort alone.
    for (const first of a === undefined ? [] : [a]) {
      const compared = await Promise.all(
        [source, text].map((one) => new CompareSessions(one).execute({ sessions: [first, b!] })),
      );
      expect(JSON.stringify(compared[0])).toBe(JSON.stringify(compared[1]));
    }
    await source.close?.();
  });
});

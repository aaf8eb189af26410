import path from "node:path";
import { describe, expect, it } from "vitest";
import type { InspectorDataSource } from "../../src/application/ports/inspector-data-source.js";
import { CompareSessions } from "../../src/application/questions/compare-sessions.js";
import { SummarizeSession } from "../../src/application/questions/summarize-session.js";
import type { ListedSession } from "../../src/domain/session/model-usage.js";
import type { SessionSummary } from "../../src/domain/summary/session-summary.js";
import { openHistories } from "../../src/histories.js";
import { SAMPLES } from "../claude-code/support/projects.js";
import { kindOfShared, sharedHistories } from "../support/shared-data.js";
import { allHistories, inTurn } from "../support/shared-histories.js";

const OPTIONS = { threads: false } as const;

const KINDS = ["claude-code", "codex", "gemini-cli"];

const SYNTHETIC = sharedHistories("synthetic").flatMap(({ name, folder }) => {
  const kind = kindOfShared(`synthetic/${name}`);
  if (kind === undefined) return [];
  const place = kind === "claude-code" ? path.join(folder, "projects") : folder;
  return [
    { name: `synthetic, ${name}`, kind, folder: place, open: () => openHistories(kind, place, OPTIONS) },
  ];
});

const HISTORIES = inTurn(
  [
    {
      name: "claude-code, samples",
      kind: "claude-code",
      folder: SAMPLES,
      open: () => openHistories("claude-code", SAMPLES, OPTIONS),
    },
    ...allHistories().filter(({ kind }) => KINDS.includes(kind)),
    ...SYNTHETIC,
  ],
  ({ folder }) => folder,
);

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
  it.each(HISTORIES)("gives the answers that its records give as text: $name", async ({ kind, open }) => {
    const source = await open();
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
      // The list counts placeholders of this format only.
      if (kind === "claude-code") expect(placeholdersIn(listed)).toBe(value.total.placeholderCalls);
      expect(JSON.stringify({ ...added, revision: undefined })).toBe(
        JSON.stringify({ ...read, revision: undefined }),
      );
    }
    const [a, b = a] = sessions;
    for (const first of a === undefined ? [] : [a]) {
      const compared = await Promise.all(
        [source, text].map((one) => new CompareSessions(one).execute({ sessions: [first, b!] })),
      );
      expect(JSON.stringify(compared[0])).toBe(JSON.stringify(compared[1]));
    }
    await source.close?.();
  });
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, it } from "vitest";
import { openHistories } from "../../src/histories.js";
import { SHARED_DATA } from "../../test/support/shared-data.js";
import { describeShared } from "../../test/support/shared-suites.js";
import { describeInBrowser } from "./browser/browser.js";
import { serverOf } from "./fixtures/serve-app.js";
import { bytesOf, exportedSessions } from "./support/exported-sessions.js";
import { expectSameViews } from "./support/exported-views.js";

const HISTORIES = [
  ["claude-code", "claude-code/spotter/projects", 2],
  ["claude-code", "claude-code/entire-cli/projects", 2],
  ["codex", "codex/code-butler", 2],
  ["gemini-cli", "gemini-cli/agent-sessions", 1],
] as const;

describeShared("real sessions as files", () =>
  describeInBrowser("in every view", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "inspector-exports-"));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it.each(HISTORIES)(
      "of %s in %s show in every view what the served page shows",
      async (format, place, count) => {
        const source = await openHistories(format, path.join(SHARED_DATA, place));
        const server = serverOf(() => source);
        await server.start();
        // A running session may change between the readings.
        const sessions = (await source.listSessions()).filter(({ status }) => status !== "running");
        expect(sessions.length).toBeGreaterThan(0);
        for (const session of sessions.slice(0, count)) {
          const { tenantId, sessionId } = session;
          const file = path.join(folder, "session.html");
          writeFileSync(file, await bytesOf(exportedSessions(source, [session])));
          const parts = [tenantId, sessionId].map(encodeURIComponent);
          await expectSameViews(server, pathToFileURL(file).href, `#/s/${parts.join("/")}`);
        }
        await server.stop();
      },
    );
  }),
);

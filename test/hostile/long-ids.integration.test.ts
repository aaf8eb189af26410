import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openHistories } from "../../src/histories.js";
import { HistoryDatabase } from "../opencode/support/databases.js";
import { temporaryFolder } from "../support/data-directory.js";
import { inspect } from "../support/inspector.js";

describe("A session whose id is too long", () => {
  it.each([
    [501, /longer than 500 characters/],
    [8_000, /longer than 4096 bytes/],
  ])(
    "of %s characters is skipped with a warning, and costs no answer about others",
    async (length, warning) => {
      const folder = await temporaryFolder();
      const history = new HistoryDatabase(path.join(folder, "opencode.db"));
      for (const id of ["good", "x".repeat(500), "x".repeat(length)]) {
        history.session(id);
        history.prompt(id, 1, "Count the lanterns.");
      }
      history.close();
      const source = await openHistories("opencode", folder, { threads: false });
      onTestFinished(() => source.close?.());
      const { ask, failures } = inspect(source);
      const { body } = await ask("/sessions");
      const ids = (body.sessions as { sessionId: string }[]).map(({ sessionId }) => sessionId.length);
      expect(ids.sort()).toEqual([4, 500]);
      expect(JSON.stringify(body.warnings)).toMatch(warning);
      const found = await ask("/search?q=lanterns");
      expect([found.status, found.text.includes("good"), failures]).toEqual([200, true, []]);
    },
  );
});

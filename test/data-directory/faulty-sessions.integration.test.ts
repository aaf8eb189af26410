import { describe, expect, it, onTestFinished, vi } from "vitest";
import { summaryOf } from "../../src/adapters/data-directory/session-strategy.js";
import { EMPTY_LOG } from "../../src/domain/session/session-log.js";
import { NOON } from "../contract/fixture.js";
import { temporaryFolder, writeSessions } from "../support/data-directory.js";
import { filesystemSource } from "../support/sources.js";

const MARK = "2026-01-01T00:00:06.666Z";

describe("A session that makes the inspector fail", () => {
  it("is listed with the others, and named", async () => {
    const { parse } = Date;
    const spy = vi.spyOn(Date, "parse").mockImplementation((text) => {
      if (text === MARK) throw new TypeError("no such instant");
      return parse(text);
    });
    onTestFinished(() => spy.mockRestore());
    const dataDir = await temporaryFolder();
    const session = (sessionId: string, timestamp: string) => ({
      tenantId: "acme",
      sessionId,
      userId: "ada",
      title: `Title of ${sessionId}`,
      createdAt: NOON,
      envelopes: [`{"id":"e","timestamp":"${timestamp}","sequence":0,"event":{"type":"x"}}`],
    });
    await writeSessions(dataDir, [session("bad", MARK), session("good", "2026-01-01T00:00:00.000Z")]);
    const source = filesystemSource(dataDir);
    for (const search of [{}, { limit: 10 }]) {
      const { items, warnings } = await source.findSessions!(search);
      expect(items.toSorted((a, b) => (a.sessionId < b.sessionId ? -1 : 1))).toMatchObject([
        { sessionId: "bad", turns: 0, warnings: 1 },
        { sessionId: "good", title: "Title of good" },
      ]);
      expect(warnings).toEqual([
        {
          file: "tenants/acme/sessions/bad",
          line: 1,
          reason: "made the inspector fail (TypeError: no such instant): this list lacks its facts",
        },
      ]);
    }
    spy.mockRestore();
    expect((await source.findSessions!({})).warnings).toEqual([]);
  });

  it("is one of which nothing is known, where it fails only as it is described", () => {
    const place = { tenantId: "acme", sessionId: "s1", folder: "/s1" };
    const facts = { log: { ...EMPTY_LOG, newest: Number.NaN }, ends: [] };
    const read = { facts, logEnd: undefined, counted: undefined, isComplete: true };
    expect(summaryOf({ place, modifiedAt: () => 1 }, read, NOON)).toMatchObject({
      fault: "RangeError: Invalid time value",
      item: { sessionId: "s1", turns: 0, warnings: 1 },
    });
  });
});

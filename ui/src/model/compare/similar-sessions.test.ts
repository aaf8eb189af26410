import { describe, expect, it } from "vitest";
import type { InspectorSessionItem } from "../../../../src/domain/session/session.js";
import { mostSimilarFirst } from "./similar-sessions.js";

const session = (sessionId: string, more: Partial<InspectorSessionItem> = {}): InspectorSessionItem => ({
  tenantId: "shop",
  sessionId,
  userId: "",
  lastActive: "2026-01-01T00:00:00.000Z",
  turns: 1,
  tokens: 1,
  status: "idle",
  ...more,
});

const idsOf = (similar: ReturnType<typeof mostSimilarFirst>) =>
  similar.map(({ session: { sessionId } }) => sessionId);

describe("sessions to compare one with", () => {
  it("are those that were asked the same, then those of the same folder, then the newest", () => {
    const one = session("one", { prompt: "Mend it", directory: "/shop" });
    const similar = mostSimilarFirst(one, [
      session("newest", { lastActive: "2026-01-04T00:00:00.000Z", directory: "/labs" }),
      session("folder", { lastActive: "2026-01-02T00:00:00.000Z", directory: "/shop" }),
      session("asked", { title: "Mend it ", directory: "/labs" }),
      session("both", { prompt: "Mend it", directory: "/shop" }),
      session("oldest", { directory: "/labs" }),
    ]);
    expect(idsOf(similar)).toEqual(["both", "asked", "folder", "newest", "oldest"]);
    expect(similar.map(({ alike }) => alike)).toEqual([
      ["prompt", "project"],
      ["prompt"],
      ["project"],
      [],
      [],
    ]);
  });

  it("are of the same tenant first where no folder is known", () => {
    const others = [session("b", { tenantId: "labs" }), session("a")];
    expect(idsOf(mostSimilarFirst({ tenantId: "shop", sessionId: "one" }, others))).toEqual(["a", "b"]);
  });

  it("are neither the one itself, nor any of them twice", () => {
    const others = [session("one"), session("a"), session("a"), session("one", { tenantId: "labs" })];
    const similar = mostSimilarFirst(session("one"), others);
    expect(similar.map(({ session: { tenantId, sessionId } }) => [tenantId, sessionId])).toEqual([
      ["shop", "a"],
      ["labs", "one"],
    ]);
  });

  it("are not alike because nothing was asked in either", () => {
    const [similar] = mostSimilarFirst(session("one"), [session("a", { tenantId: "labs" })]);
    expect(similar!.alike).toEqual([]);
  });

  it("are alike by the words of what was asked, whatever the folder, and by their models", () => {
    const sessionWith = (prompt: string, more: Partial<InspectorSessionItem> = {}) => ({ prompt, ...more });
    const one = session(
      "one",
      sessionWith("Mend the cart in /a/run-1", { directory: "/a/run-1", model: "m1" }),
    );
    const similar = mostSimilarFirst(one, [
      session("other", sessionWith("Write a poem")),
      session("near", sessionWith("Mend the cart in /b and test it", { directory: "/b" })),
      session("same", sessionWith("Mend the cart in /b/2", { directory: "/b/2", models: ["m1"] })),
    ]);
    expect(idsOf(similar)).toEqual(["same", "near", "other"]);
    expect(similar.map(({ alike }) => alike)).toEqual([["prompt", "model"], ["similar"], []]);
    expect(similar[0]!.likeness).toBeCloseTo(0.75);
    expect(similar[2]!.likeness).toBe(0);
  });
});

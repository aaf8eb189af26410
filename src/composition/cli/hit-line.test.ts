import { describe, expect, it } from "vitest";
import type { SearchHit } from "../../domain/search/search-hit.js";
import { hitJson, hitLine, PLAIN } from "./hit-line.js";

const HIT: SearchHit = {
  tenantId: "acme",
  sessionId: "s1",
  in: "output",
  sequence: 3,
  timestamp: "2026-01-15T12:00:00.000Z",
  type: "tool.end",
  toolName: "Read",
  matches: 1,
  snippet: { text: "a needle here", start: 2, end: 8 },
};

/** Clears the screen, in the two ways to write that; sets the title; turns the direction of text; ends the line. */
const EVIL = "\u001b[2J\u009b2J\u001b]0;title\u0007\u202e\r\n\u2028\u007f";

// biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is what is tested
const COMMANDS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e]/;

describe("a hit as a line", () => {
  it("names session, instant, kind and tool, and marks the match", () => {
    expect(hitLine(HIT, PLAIN)).toBe("acme/s1  2026-01-15T12:00:00.000Z  output Read  a »needle« here\n");
  });

  it("says of a message what there is to say", () => {
    const { tenantId, sessionId, matches, snippet } = HIT;
    const line = hitLine({ tenantId, sessionId, matches, snippet, in: "text", messageIndex: 0 }, PLAIN);
    expect(line).toBe("acme/s1  -  text  a »needle« here\n");
  });

  it("lets no command reach a terminal, and keeps the place of the match", () => {
    const snippet = { text: `${EVIL}needle${EVIL}`, start: EVIL.length, end: EVIL.length + 6 };
    const hit = { ...HIT, sessionId: EVIL, toolName: EVIL, timestamp: EVIL, snippet };
    for (const line of [hitLine(hit, PLAIN), hitJson(hit)]) {
      expect(line.trimEnd()).not.toMatch(COMMANDS);
      expect(line.split("\n")).toHaveLength(2);
    }
    expect(hitLine(hit, PLAIN)).toContain("»needle«");
    expect(JSON.parse(hitJson(hit))).toEqual(hit);
  });
});

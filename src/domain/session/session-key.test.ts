import { describe, expect, it } from "vitest";
import { isSameSession, keyText, type SessionKey } from "./session-key.js";

const ODD_IDS = [
  "",
  "a",
  "\0",
  "a\0",
  "/",
  " ",
  ",",
  '"',
  '","',
  "\\",
  '\\"',
  "[",
  "\ud800",
  "\\ud800",
  "é",
  "e\u0301",
];
const IDS = ODD_IDS.flatMap((start) => ODD_IDS.map((end) => start + end));
const KEYS = IDS.flatMap((tenantId, i) =>
  [IDS[(i * 7) % IDS.length]!, IDS[(i * 31 + 5) % IDS.length]!, ...ODD_IDS].map((sessionId) => ({
    tenantId,
    sessionId,
  })),
);

function textsOf(textOf: (key: SessionKey) => string, keys: readonly SessionKey[]): number {
  return new Set(keys.map(textOf)).size;
}

describe("keyText", () => {
  it("gives different keys different texts, whatever separators their ids contain", () => {
    const distinct = [...new Map(KEYS.map((key) => [JSON.stringify(key), key])).values()];
    expect(textsOf((key) => keyText(key), distinct)).toBe(distinct.length);
  });

  it("distinguishes ids without NUL as a NUL between them does, and others better", () => {
    const joined = ({ tenantId, sessionId }: SessionKey) => `${tenantId}\0${sessionId}`;
    const plain = KEYS.filter((key) => !/\0/.test(key.tenantId + key.sessionId));
    expect(textsOf((key) => keyText(key), plain)).toBe(textsOf(joined, plain));
    expect(textsOf((key) => keyText(key), KEYS)).toBeGreaterThan(textsOf(joined, KEYS));
  });

  it("distinguishes parts of a session from the session and from one another", () => {
    const key = { tenantId: "a", sessionId: "b" };
    const texts = [
      keyText(key),
      keyText(key, undefined),
      keyText(key, "c"),
      keyText(key, "c", "d"),
      keyText(key, ["c"]),
    ];
    expect(new Set(texts).size).toBe(texts.length);
    expect(keyText({ tenantId: "a", sessionId: 'b","c' })).not.toBe(keyText(key, "c"));
  });
});

describe("isSameSession", () => {
  it("agrees with the texts of the keys", () => {
    const [first] = KEYS;
    for (const key of KEYS) expect(isSameSession(key, { ...first! })).toBe(keyText(key) === keyText(first!));
    expect(isSameSession(undefined, first)).toBe(false);
    expect(isSameSession(undefined, undefined)).toBe(true);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../test/support/soak.js";
import type { SearchQuery } from "../../../domain/search/search-query.js";
import { bytePatternOf, literalOf } from "./byte-pattern.js";

const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "/": "\\/",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

function query(text: string, isExact: boolean): SearchQuery {
  return { kind: "text", text, isExact };
}

/** True if a text contains another one, as the search defines it. */
function holds(text: string, { text: wanted, isExact }: SearchQuery): boolean {
  return new RegExp(wanted.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), isExact ? "" : "i").test(text);
}

function mayHold(json: Uint8Array, requested: SearchQuery): boolean {
  const pattern = bytePatternOf(requested);
  return pattern === undefined || pattern.isIn(Buffer.from(json).toString("latin1"));
}

/** Texts of characters with special escapes, foldings or encodings. */
const text = (maxLength: number) =>
  fc
    .array(
      fc.constantFrom(
        ...'aAzZkKsS "\\/\b\f\n\r\t\0\x1b<é',
        ..."ÉßſKσςΣµμΜÅÅ日本ǆǅŸÿİıȺⱥ\u2028",
        "\u{1F99C}",
        "\u{10400}",
        "\u{10428}",
        "\ud83e",
        "\udd9c",
        "\ufffd",
      ),
      { maxLength },
    )
    .map((parts) => parts.join(""));

/** A string as JSON text in UTF-8, each character in one of the forms that it can have. */
function written(value: string, forms: readonly number[]): Uint8Array {
  let json = '{"text":"';
  let at = 0;
  for (const character of value) {
    const form = forms[at++ % forms.length]!;
    const hex = character.split("").map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
    const plain = character < " " || character === '"' || character === "\\" ? undefined : character;
    const isHalf = /\p{Surrogate}/u.test(character);
    if (form === 0 || isHalf) json += hex.join("");
    else if (form === 1) json += hex.join("").toUpperCase().replaceAll("\\U", "\\u");
    else if (form === 2) json += SHORT[character] ?? plain ?? hex.join("");
    else json += plain ?? SHORT[character] ?? hex.join("");
  }
  return new TextEncoder().encode(`${json}"}`);
}

describe("the bytes of a text", () => {
  it("pass wherever a string holds it, in any mixture of its forms", () => {
    const forms = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 7 });
    const parts = fc.tuple(text(3), text(5), text(3));
    const properties = fc.property(parts, forms, fc.boolean(), ([before, wanted, behind], mixed, isExact) => {
      const requested = query(wanted, isExact);
      const value = before + wanted + behind;
      const json = written(value, mixed);
      expect((JSON.parse(new TextDecoder().decode(json)) as { text: string }).text).toBe(value);
      expect(holds(value, requested)).toBe(true);
      expect(mayHold(json, requested)).toBe(true);
    });
    fc.assert(properties, { numRuns: runs(1_000) });
  });

  it("pass wherever a string holds it in another case", () => {
    const forms = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 7 });
    const properties = fc.property(text(4), text(2), forms, (value, wanted, mixed) => {
      const requested = query(wanted, false);
      for (const one of [value + wanted.toUpperCase(), wanted.toLowerCase() + value, value]) {
        if (holds(one, requested)) expect(mayHold(written(one, mixed), requested)).toBe(true);
      }
    });
    fc.assert(properties, { numRuns: runs(1_000) });
  });

  it.each(["Σ", "σ", "ς"])("pass for %s in each of its cases, and for no other letter", (letter) => {
    for (const other of ["Σ", "σ", "ς"])
      expect(mayHold(written(other, [3]), query(letter, false))).toBe(true);
    expect(mayHold(written("τ", [0]), query(letter, false))).toBe(false);
    expect(mayHold(written("Σσς".replace(letter, ""), [3, 0]), query(letter, true))).toBe(false);
  });

  it("do not pass for the Kelvin sign as a k, nor for a long s as an s", () => {
    expect(mayHold(written("\u212a", [3]), query("k", false))).toBe(false);
    expect(mayHold(written("\u017f", [3]), query("s", false))).toBe(false);
  });

  it("do not pass where the text stands nowhere", () => {
    const json = written('router.ex, C:\\new, "quoted"', [2]);
    for (const other of ["route.ex", "router ex", "c:/new", '"quoted "', "\t", "日"]) {
      expect(mayHold(json, query(other, false))).toBe(false);
    }
  });

  it("pass with bytes that are no UTF-8 for what these are read as", () => {
    const json = Buffer.concat([Buffer.from('{"text":"ab'), Uint8Array.of(0xff), Buffer.from('cde"}')]);
    for (const wanted of ["\ufffd", "ab\ufffdcde", "\ufffdCDE"])
      expect(mayHold(json, query(wanted, false))).toBe(true);
    expect(mayHold(json, query("ab\ufffdcdx", false))).toBe(false);
  });

  it("pass half a pair where the whole one stands in UTF-8", () => {
    expect(mayHold(written("x\u{1F99C}", [3]), query("x\ud83e", false))).toBe(true);
  });

  it("are as long as the text at most, each unit written out", () => {
    const wanted = 'a"日\u{1F99C}';
    expect(bytePatternOf(query(wanted, false))!.longest).toBe(
      written(wanted, [0]).length - '{"text":""}'.length,
    );
  });
});

describe("the bytes of an expression", () => {
  it("pass where a text that it requires stands", () => {
    const requested: SearchQuery = { kind: "pattern", text: "^use(Router)?\\.go+gle", isExact: true };
    expect(mayHold(written("useX.google", [3]), requested)).toBe(true);
    expect(mayHold(written("useRouter.gogle", [0]), requested)).toBe(true);
    expect(mayHold(written("us,Router.gogle", [3]), requested)).toBe(false);
  });

  it("have no pattern where no text is certain", () => {
    expect(bytePatternOf({ kind: "pattern", text: "foo|bar", isExact: true })).toBeUndefined();
  });
});

describe("the text that an expression requires", () => {
  it.each([
    ["foo\\d+", "foo"],
    ["^foo$", "foo"],
    ["a.*longer.b", "longer"],
    ["abc?", "ab"],
    ["abc*d", "ab"],
    ["abc+d", "abc"],
    ["ab{2}c", "a"],
    ["ab{2,}?cd", "cd"],
    ["a{b", "a{b"],
    ["x(foo|bar)yz", "yz"],
    ["(?:foo)ab", "ab"],
    ["src/main\\.ts", "src/main.ts"],
    ["[abc]de", "de"],
    ["[]abc]de", "de"],
    ["[^\\]abc]de", "de"],
    ["[[:alpha:]abc]de", "de"],
    ["\\bfoo\\b", "foo"],
    ["(?s)foo.bar", "foo"],
    ["日本+", "日本"],
    ["a\u{1F99C}?", "a"],
  ])("of %s is %s", (expression, text) => {
    expect(literalOf(expression)).toEqual({ text, isExact: true });
  });

  it.each([
    "foo|bar",
    "(foo)",
    ".*",
    "",
    "\\Qa.b\\E",
    "foo\\x41bar",
    "foo\\pLbar",
    "foo\\101",
    "foo(?i)bar",
    "(foo(?i))bar",
  ])("of %s is not certain", (expression) => {
    expect(literalOf(expression)).toBeUndefined();
  });

  it("is without k, s and what is not ASCII where case is ignored", () => {
    expect(literalOf("(?i)aska?bc")).toEqual({ text: "bc", isExact: false });
    expect(literalOf("(?i)éab")).toEqual({ text: "ab", isExact: false });
    expect(literalOf("(?is)hello.")).toEqual({ text: "hello", isExact: false });
  });

  it("stands in whatever the expression finds", () => {
    const parts = fc.array(
      fc.constantFrom(
        ..."abcs()[]{}|*+?.^$\\-:,2",
        "(?:",
        "(?i)",
        "\\d",
        "\\.",
        "{2}",
        "[^a]",
        "[[:digit:]]",
      ),
      { maxLength: 9 },
    );
    const haystack = fc.array(fc.constantFrom(..."aABbcCsS.2-:{}"), { maxLength: 14 });
    const property = fc.property(parts, haystack, (pieces, letters) => {
      const literal = literalOf(pieces.join(""));
      const match = matchIn(pieces.join(""), letters.join(""));
      if (literal === undefined || match === undefined) return;
      const { text, isExact } = literal;
      expect(isExact ? match : match.toLowerCase()).toContain(isExact ? text : text.toLowerCase());
    });
    fc.assert(property, { numRuns: runs(20_000) });
  });
});

/** Returns the match of JavaScript, if it reads the expression as RE2 does. */
function matchIn(expression: string, text: string): string | undefined {
  const flags = /^\(\?i\)/.exec(expression);
  const rest = flags === null ? expression : expression.slice(4);
  if (/\[\^?\]|\[:/.test(rest)) return undefined;
  try {
    return new RegExp(rest, flags === null ? "" : "i").exec(text)?.[0];
  } catch {
    return undefined;
  }
}

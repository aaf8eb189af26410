import type { Reading } from "./text-view.js";

export interface CharacterEncoding {
  /** Texts without this sign are skipped. */
  readonly sign: string;
  readonly pattern: RegExp;
  /** `undefined` if the match encodes nothing. */
  readonly read: (match: string) => string | undefined;
}

const CONTROLS: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  b: "\b",
  f: "\f",
  "0": "\0",
  e: "\u001b",
  E: "\u001b",
};

const ESCAPES: CharacterEncoding = {
  sign: "\\",
  pattern:
    /\\(?:u[0-9A-Fa-f]{4}|u\{[0-9A-Fa-f]{1,6}\}|x[89A-Fa-f][0-9A-Fa-f](?:\\x[89A-Fa-f][0-9A-Fa-f]){0,3}|x[0-9A-Fa-f]{2}|[0-3][0-7]{2}|[^ux])/g,
  read(match) {
    if (match[1] === "x") return Buffer.from(match.replaceAll("\\x", ""), "hex").toString("utf8");
    const code = /^\\u\{?([0-9A-Fa-f]+)/.exec(match)?.[1];
    if (code !== undefined) return character(Number.parseInt(code, 16));
    return match.length === 4
      ? String.fromCharCode(Number.parseInt(match.slice(1), 8))
      : (CONTROLS[match[1]!] ?? match.slice(1));
  },
};

const PERCENT: CharacterEncoding = {
  sign: "%",
  pattern: /(?:%[0-9A-Fa-f]{2})+/g,
  read: (match) => Buffer.from(match.replaceAll("%", ""), "hex").toString("utf8"),
};

/** Only characters of addresses, names and tokens, and invisible ones. */
const NAMED = new Map<string, string>(
  Object.entries({
    ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", grave: "`", nbsp: " ", newline: "\n", tab: "\t" },
    ...{
      commat: "@",
      period: ".",
      lowbar: "_",
      underbar: "_",
      hyphen: "-",
      dash: "-",
      plus: "+",
      colon: ":",
    },
    ...{
      sol: "/",
      bsol: "\\",
      equals: "=",
      num: "#",
      percnt: "%",
      excl: "!",
      quest: "?",
      dollar: "$",
      ast: "*",
    },
    ...{ midast: "*", hat: "^", comma: ",", semi: ";", verbar: "|", vert: "|", lpar: "(", rpar: ")" },
    ...{ lsqb: "[", lbrack: "[", rsqb: "]", rbrack: "]", lcub: "{", lbrace: "{", rcub: "}", rbrace: "}" },
    ...{ shy: "\u00ad", zwj: "\u200d", zwnj: "\u200c", zerowidthspace: "\u200b", nobreak: "\u2060" },
  }),
);

/** Browsers accept numbers without a semicolon, and with any number of zeros. */
const ENTITIES: CharacterEncoding = {
  sign: "&",
  pattern: new RegExp(
    `&(?:#0{0,20}\\d{1,7};?|#x0{0,20}[0-9a-f]{1,6};?|(?:${[...NAMED.keys()].join("|")});)`,
    "gi",
  ),
  read(match) {
    const name = match.slice(1).replace(";", "").toLowerCase();
    if (!name.startsWith("#")) return NAMED.get(name);
    return character(name[1] === "x" ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)));
  },
};

export const ENCODINGS = [ESCAPES, PERCENT, ENTITIES];

export function* decodedCharacters(
  text: string,
  { sign, pattern, read }: CharacterEncoding,
): Generator<Reading, void> {
  if (!text.includes(sign)) return;
  for (const { 0: match, index: start } of text.matchAll(pattern)) {
    const value = read(match);
    if (value !== undefined) yield { start, end: start + match.length, text: value };
  }
}

function character(code: number): string | undefined {
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

import { textsOfLine } from "../../src/adapters/redaction/text/line-strings.js";
import { replaceInLine } from "../../src/adapters/redaction/text/replace-in-line.js";

/** A secret that no output may contain. */
export interface PlantedSecret {
  /** The secret is still there if the output has any of these. */
  readonly values: readonly string[];
  /** A text with the context that marks the secret. */
  readonly shown: string;
  /** Recognisable by its form alone; its length is its end. */
  readonly isToken?: boolean;
}

type Random = (below: number) => number;

function randomOf(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const WORD = `${LETTERS}${LETTERS.toUpperCase()}0123456789`;

type MakeText = (length: number, of?: string) => string;

const HEX = "0123456789abcdef";
const DIGITS = "0123456789";
const CAPITALS = `${LETTERS.toUpperCase()}${DIGITS}`;

const VENDOR_TOKENS: readonly ((text: MakeText) => string)[] = [
  (text) => `glpat-${text(20)}`,
  (text) => `npm_${text(36)}`,
  (text) => `pypi-AgEIcHlwaS5vcmc${text(80)}`,
  (text) => `sk_live_${text(24)}`,
  (text) => `SG.${text(22)}.${text(43)}`,
  (text) => `AIza${text(35)}`,
  (text) => `GOCSPX-${text(28)}`,
  (text) => `AKIA${text(16, CAPITALS)}`,
  (text) => `dop_v1_${text(64, HEX)}`,
  (text) => `hf_${text(34)}`,
  (text) => `r8_${text(37)}`,
  (text) => `lin_api_${text(40)}`,
  (text) => `ntn_${text(46)}`,
  (text) => `figd_${text(40)}`,
  (text) => `PMAK-${text(24, HEX)}-${text(34, HEX)}`,
  (text) => `shpat_${text(32, HEX)}`,
  (text) => `sq0atp-${text(22)}`,
  (text) => `dapi${text(32, HEX)}`,
  (text) => `dp.pt.${text(43)}`,
  (text) => `hvs.${text(24)}`,
  (text) => `${text(14)}.atlasv1.${text(67)}`,
  (text) => `glsa_${text(32)}_${text(8, HEX)}`,
  (text) => `NRAK-${text(27, CAPITALS)}`,
  (text) => `sntryu_${text(64, HEX)}`,
  (text) => `sbp_${text(40, HEX)}`,
  (text) => `nfp_${text(36)}`,
  (text) => `pscale_tkn_${text(43)}`,
  (text) => `ATATT3xFfGF0${text(180)}`,
  (text) => `${text(10, "123456789")}:AA${text(33)}`,
  (text) => `${text(32, HEX)}-us12`,
  (text) => `AGE-SECRET-KEY-1${text(58, CAPITALS)}`,
];

/** Each with a digit, as random tokens nearly always have. */
const KINDS: readonly ((text: MakeText) => PlantedSecret)[] = [
  (text) => alone(`sk-ant-api03-${text(40)}`),
  (text) => alone(`ghp_${text(36)}`),
  (text) => behind("AWS_SECRET_ACCESS_KEY=", text(40, `${WORD}+/`)),
  (text) => alone(`xoxb-${text(12, DIGITS)}-${text(24)}`),
  (text) => alone(`eyJ${text(30)}.eyJ${text(60)}.${text(43)}`),
  (text) => behind("postgres://app:", `${text(12)}9`, "@db.internal:5432/shop"),
  (text) => behind("Authorization: Bearer ", `${text(40)}7`),
  (text) => behind('{"user":"app","password":"', `${text(4)} ${text(5)} ${text(6)}`, '"}'),
  (text) => alone(`${text(6, LETTERS)}.${text(8, LETTERS)}@${text(7, LETTERS)}.example.org`),
  (text) => behind("/home/", `${text(9, LETTERS)}`, "/projects/main.ts"),
  (text) => {
    const lines = Array.from({ length: 4 }, () => text(64, `${WORD}+/`));
    const shown = `-----BEGIN RSA PRIVATE KEY-----\n${lines.join("\n")}\n-----END RSA PRIVATE KEY-----`;
    return { values: lines, shown };
  },
  (text) => alone(`xapp-1-A${text(10, CAPITALS)}-${text(13, DIGITS)}-${text(64, HEX)}`),
  (text) => behind("DB_PASSWORD = ", `${text(12)}7`),
  (text) => behind("machine api.example.com\n  login ann\n  password ", `${text(10)}5`),
  (text) => behind("mysql -h db -u root -p", `${text(11)}3`, " shop"),
  (text) => behind("mysqldump --password=", `${text(11)}4`, " shop"),
  (text) => behind("curl -su ann:", `${text(12)}6`, " https://api.example.com/"),
  (text) => {
    const password = `${text(14)}8`;
    const code = Buffer.from(`ann:${password}`).toString("base64");
    return { values: [password, code], shown: `{"auths":{"reg.example.com":{"auth": "${code}"}}}` };
  },
  ...VENDOR_TOKENS.map((make) => (text: MakeText) => ({ ...alone(make(text)), isToken: true })),
];

function alone(value: string): PlantedSecret {
  return { values: [value], shown: value };
}

function behind(before: string, value: string, after = ""): PlantedSecret {
  return { values: [value], shown: `${before}${value}${after}` };
}

export function plantedSecrets(count: number, seed: number): PlantedSecret[] {
  const random = randomOf(seed);
  const text = (length: number, of = WORD) => Array.from({ length }, () => of[random(of.length)]).join("");
  return Array.from({ length: count }, (_, i) => KINDS[i % KINDS.length]!(text));
}

/** Invisible text separates the parts of a value. */
const disguised = (text: string, between: string, parts = 3) => {
  const size = Math.ceil(text.length / parts);
  return Array.from({ length: parts }, (_, i) => text.slice(i * size, (i + 1) * size)).join(between);
};
const escapes = (text: string) =>
  [...text].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
const entities = (text: string) => [...text].map((sign) => `&#${sign.charCodeAt(0)};`).join("");

const WAYS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify({ a: [text] }),
  (text) => JSON.stringify(JSON.stringify({ a: text })),
  encodeURIComponent,
  (text) => Buffer.from(text).toString("base64"),
  (text) => Buffer.from(`a${text}`).toString("base64url"),
  (text) => Buffer.from(`ab${text}.`).toString("base64"),
  (text) => Buffer.from(text).toString("hex"),
  escapes,
  entities,
  (text) => `\u001b[31m${text}\u001b[0m`,
  (text) => disguised(text, "\u001b[0m\u001b[1;32m"),
  (text) => JSON.stringify({ a: disguised(text, "\u001b[K") }),
  (text) => disguised(text, "\u200b"),
  (text) => disguised(text, "&shy;"),
  (text) => disguised(text, "%E2%81%A0"),
  (text) => text.replaceAll("@", "&commat;").replaceAll(".", "&period;").replaceAll("-", "&#x2d;"),
];

/** Ways with a line break. Only token patterns match these. */
const BROKEN: readonly ((text: string) => string)[] = [
  (text) => disguised(text, "\n"),
  (text) => disguised(text, "\r\n    ", 2),
  (text) => JSON.stringify({ a: disguised(text, "\n> ", 2) }),
];

export function leftIn(text: string, secrets: readonly PlantedSecret[]): string[] {
  const texts = [text, undisguised(text)];
  return secrets.flatMap(({ values, shown }) =>
    values
      .filter((value) => formsOf(value).some((form) => texts.some((one) => one.includes(form))))
      .map((value) => `${value} of ${shown}`),
  );
}

function undisguised(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
      .replace(/(?:\u001b|\\+u001b)\[[0-9;]*[A-Za-z]|\\u\{1b\}\[[0-9;]*[A-Za-z]/g, "")
      .replace(/\u200b|\\+u200b|&(?:amp;)*shy;|%E2%81%A0|\\u\{200b\}/gi, "")
      .replace(/(?:\\+r|\r)?(?:\\+n|\n)(?:> | {4})?/g, "")
      .replace(/&commat;/g, "@")
      .replace(/&period;/g, ".")
      .replace(/&#x2d;/g, "-")
  );
}

/** Base64 at each of three offsets, without the ends, which include other bytes. */
function formsOf(value: string): string[] {
  const codes = [0, 1, 2].map((before) => {
    const code = Buffer.from(`${"a".repeat(before)}${value}`)
      .toString("base64")
      .replace(/=+$/, "");
    return code.slice(Math.ceil((before * 8) / 6), Math.floor(((before + value.length) * 8) / 6));
  });
  const escaped = JSON.stringify(value).slice(1, -1);
  return [
    value,
    escaped,
    encodeURIComponent(value),
    ...codes,
    Buffer.from(value).toString("hex"),
    escapes(value),
    entities(value),
  ];
}

function pictureWith(text: string): string {
  const chunk = (type: string, data: string) => {
    const size = Buffer.alloc(4);
    size.writeUInt32BE(Buffer.byteLength(data, "latin1"));
    return Buffer.concat([size, Buffer.from(`${type}${data}`, "latin1"), Buffer.alloc(4)]);
  };
  const parts = [
    chunk("IHDR", "0123456789abc"),
    chunk("tEXt", `Comment\0${text}`),
    chunk("IDAT", "data"),
    chunk("IEND", ""),
  ];
  const bytes = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...parts]);
  return `data:image/png;base64,${bytes.toString("base64")}`;
}

/** Members that identify or order a record: another text there makes another history, or none. */
const STRUCTURE =
  /^(?:archive|type|role|source|status|phase|outcome|timestamp|sequence|format|version|exportedAt|writer|revision|lastActive|createdAt|tenantId|sessionId|traceId|kind|of|agent|agentId|id|toolCallId|tool_use_id|callId|call_id|messageId|parentId|reason|encoding|labels?)$/;

/** Each secret appears once with its context, and twice elsewhere in any encoding: in values, names of members and ids. */
export function withSecrets(
  lines: readonly string[],
  secrets: readonly PlantedSecret[],
  seed: number,
): string[] {
  const random = randomOf(seed);
  const [first, ...others] = secrets.flatMap(({ values: own }) =>
    own.filter((value) => /^[\w.@-]+$/.test(value)),
  );
  const names = others.slice(0, 5).map((value) => `,"named ${value}":{"${value}":"x"}`);
  const planted = lines.map((given, i) => {
    const line = given
      .replace(
        /"(sessionId|id|toolCallId|tool_use_id|traceId|agentId|agent)":"([\w-]+)"/g,
        `"$1":"$2-${first}"`,
      )
      .replace(/^(\{"message":\{"role":"[a-z]+")/, (start) => `${start}${names[i % names.length]}`);
    return { line, texts: textsOfLine(line), own: new Map<number, string>() };
  });
  const values = planted.flatMap((record) =>
    record.texts.flatMap(({ kind, member }, at) =>
      kind === "string" && member !== undefined && !STRUCTURE.test(member) ? [{ record, at }] : [],
    ),
  );
  const add = (text: string) => {
    const { record, at } = values[random(values.length)]!;
    record.own.set(at, `${record.own.get(at) ?? record.texts[at]!.text} ${text} `);
  };
  for (const { shown, values: own, isToken } of secrets) {
    add(shown);
    const value = own[random(own.length)]!;
    add(WAYS[random(WAYS.length)]!(value));
    add(WAYS[random(WAYS.length)]!(shown));
    if (isToken) add(BROKEN[random(BROKEN.length)]!(shown));
    if (random(10) === 0) add(pictureWith(value));
  }
  return planted.map(({ line, texts, own }) => replaceInLine(line, texts, own));
}

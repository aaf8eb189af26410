import { sized } from "../soak.js";

/** JSON text for any member of a record; no program could write some of these. */
export interface HostileValue {
  readonly name: string;
  readonly reason: string;
  readonly json: string;
}

/** More than the stack of the event loop holds, and more than that of a thread. */
const LEVELS = sized(10_000, 50_000);
const CHARACTERS = sized(5_000, 200_000);
/** More than a function takes as arguments. */
const ELEMENTS = sized(2_000, 150_000);

const nested = (before: string, after: string) => `${before.repeat(LEVELS)}1${after.repeat(LEVELS)}`;
const text = (value: string) => JSON.stringify(value);
const long = (value: string) => text(value.repeat(Math.ceil(CHARACTERS / value.length)));

function value(name: string, reason: string, json: string): HostileValue {
  return { name, reason, json };
}

const DEEP = [
  value("deep arrays", "functions that call themselves for each level", nested("[", "]")),
  value("deep objects", "functions that call themselves for each level", nested('{"a":', "}")),
  value("deep content", "a content is looked into", nested('[{"type":"text","content":', "}]")),
  value("deep JSON in a text", "JSON in a text is parsed", text(nested("[", "]"))),
];

const HUGE = [
  value("a long text", "what is done for each character", long("long ")),
  value("a long line of one character", "expressions that try again at each place", long("a")),
  value("a text of blanks", "expressions for blanks at an end", long(" ")),
  value("a text of opening tags", "expressions that look for the closing one", long("<command-name>")),
  value("a text of opening brackets", "JSON in a text is guessed", long("[{")),
  value("a text of line feeds", "texts are cut into lines", long("\n")),
  value("a long number", "numbers are parsed", "9".repeat(CHARACTERS)),
  value("a number of many digits behind its point", "numbers are parsed", `0.${"1".repeat(CHARACTERS)}`),
  value("a long name", "names are kept", `{${long("name ")}:1}`),
  value("an array of many elements", "arguments are made of elements", `[${"0,".repeat(ELEMENTS)}0]`),
  value(
    "an array of many parts",
    "arguments are made of parts",
    `[${'{"type":"text","text":"x"},'.repeat(ELEMENTS / 10)}{}]`,
  ),
  value(
    "an object of many members",
    "members are searched one after another",
    `{${Array.from({ length: ELEMENTS }, (_, i) => `"m${i}":${i}`).join(",")}}`,
  ),
  value("a character with many marks", "graphemes are cut", text(`e${"\u0301".repeat(2_000)}`)),
  value("an image that is none", "images are measured", text(`data:image/png;base64,${"%".repeat(2_000)}`)),
];

const NAMES = [
  value("the prototype as a name", "objects are made of foreign names", '{"__proto__":{"polluted":true}}'),
  value("the prototype as a value", "tables are asked for foreign names", text("__proto__")),
  value(
    "a constructor as a name",
    "prototypes are found by it",
    '{"constructor":{"prototype":{"type":"x"}}}',
  ),
  value("a constructor as a value", "tables are asked for foreign names", text("constructor")),
  value("a method's name as a value", "tables are asked for foreign names", text("hasOwnProperty")),
  value(
    "members that are methods",
    "texts and JSON are made of objects",
    '{"toString":1,"valueOf":2,"toJSON":3}',
  ),
  value("a member `then`", "what is awaited is asked for it", '{"then":{}}'),
  value("a length", "what has one is taken for an array", '{"length":4294967295,"0":1}'),
  value(
    "a name that is there twice",
    "the first or the last one counts",
    '{"a":1,"a":{"type":"user"},"type":7,"type":"x"}',
  ),
  value("an empty name", "members are named in paths", '{"":{"":[]}}'),
];

const NUMBERS = [
  value("-1", "counts are added", "-1"),
  value("-0", "it is equal to 0 and is not", "-0"),
  value("a fraction", "counts are integers", "0.1"),
  value("1e308", "sums of it are infinite", "1e308"),
  value("-1e308", "sums of it are infinite", "-1e308"),
  value("1e400", "it is parsed to infinity, which no JSON holds", "1e400"),
  value("-1e400", "it is parsed to infinity, which no JSON holds", "-1e400"),
  value("5e-324", "quotients of it are infinite", "5e-324"),
  value("2^53 + 1", "no double holds it", "9007199254740993"),
  value("2^63", "no integer of a database holds it", "9223372036854775808"),
  value("NaN as a text", "texts are turned into numbers", text("NaN")),
  value("Infinity as a text", "texts are turned into numbers", text("Infinity")),
  value("a number as a text", "texts are turned into numbers", text("-12e400")),
];

const INSTANTS = [
  value("the year 9999", "it is newer than all else", text("9999-12-31T23:59:59.999Z")),
  value("the last instant there is", "its year has six digits", text("+275760-09-13T00:00:00.000Z")),
  value("an instant behind the last", "no date holds it", text("+275760-09-13T00:00:00.001Z")),
  value("the first instant there is", "its year is negative", text("-271821-04-20T00:00:00.000Z")),
  value("the year 0", "no calendar has it", text("0000-01-01T00:00:00.000Z")),
  value("a day that is none", "dates are parsed", text("2026-02-31T25:61:61.000Z")),
  value("no date", "dates are parsed", text("no date")),
  value("the last instant as a number", "its year has six digits", "8640000000000000"),
  value("a number behind the last instant", "no date holds it", "8640000000000001"),
];

const TEXTS = [
  value("an empty text", "there is no first character", text("")),
  value("a half of a pair", "no UTF-8 holds it", '"\\ud800 \\udc00\\ud800"'),
  value("NUL", "texts end with it, and databases refuse it", '"a\\u0000b"'),
  value("line separators", "lines of scripts end with them", '"\\u2028\\u2029\\u0085"'),
  value("a mark of byte order", "it is taken away at a beginning", '"\\ufeff{}"'),
  value("sequences of a terminal", "texts are printed", text("\u001b[2J\u001b]0;x\u0007\u202e")),
  value("a path out of the folder", "files are named by ids", text("../../../../etc/passwd")),
  value("a path with line feeds", "files are named by ids", text("a/b\\c\r\nd: e")),
  value("a name of a tenant with a key", "names of combined sources have a colon", text("good:shop:")),
  value("an expression", "texts are made parts of expressions", text("(a+)+$[")),
  value("an address", "texts are made parts of addresses", text("%00%zz?#&tenantId=x")),
  value("markup", "texts are shown in a page", text('"><script>alert(1)</script>')),
  value("a statement", "texts are made parts of statements", text("'; DROP TABLE sessions; --")),
  value("a record", "texts are taken for records", text('\n{"type":"user","message":{"content":"x"}}\n')),
];

const SHAPES = [
  value("null", "members of it are asked for", "null"),
  value("true", "members of it are asked for", "true"),
  value("an empty array", "there is no first element", "[]"),
  value("an array of nothing", "members of elements are asked for", "[null,null]"),
  value("an array in an array", "elements are objects", '[[["x"]],{"type":[]}]'),
  value("an empty object", "its members are not there", "{}"),
  value(
    "a part without what it needs",
    "parts have texts",
    '[{"type":"text"},{"type":"tool_use"},{"type":"tool_result"}]',
  ),
  value("a part of itself", "texts are texts", '{"type":"text","text":{"type":"text","text":{}}}'),
];

export const HOSTILE_VALUES: readonly HostileValue[] = [
  ...DEEP,
  ...HUGE,
  ...NAMES,
  ...NUMBERS,
  ...INSTANTS,
  ...TEXTS,
  ...SHAPES,
];

/** Names of built-in members, and other valid names of sessions or tenants, as one part of a path. */
export const HOSTILE_IDS: readonly (readonly [id: string, reason: string])[] = [
  ["__proto__", "objects are made of foreign names"],
  ["constructor", "tables are asked for foreign names"],
  ["prototype", "tables are asked for foreign names"],
  ["toString", "tables are asked for foreign names"],
  ["hasOwnProperty", "tables are asked for foreign names"],
  ["then", "what is awaited is asked for it"],
  ["length", "what has one is taken for an array"],
  ["0", "names that are numbers come first in an object"],
  ["-1", "names are turned into numbers"],
  ["null", "it is taken for nothing"],
  ["undefined", "it is taken for nothing"],
  ["a:b", "names of combined sources have a colon"],
  ["default", "it is the tenant of those that have none"],
  [" ", "it is taken for nothing"],
  ["%2e%2e%2f", "names are parts of addresses"],
  ["?tenantId=x&#", "names are parts of addresses"],
  ["'; --", "names are parts of statements"],
  ["(a+)+$", "names are parts of expressions"],
  ["\ufeff\u200b\u202e", "it is not seen"],
  ["x".repeat(200), "it is long"],
];

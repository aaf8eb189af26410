import type { FindSecrets } from "../findings.js";

interface AssignmentRule {
  readonly rule: string;
  /** The first matching group is the value. Each repetition has a bound, and begins with a character that cannot continue it. */
  readonly pattern: RegExp;
  readonly isValue?: (value: string) => boolean;
  /** A call or an index, as in `token = make()`, is no value. */
  readonly isNoCall?: boolean;
  readonly values?: (value: string) => readonly string[];
}

const SECRET_NAME =
  "(?:pass(?:word|wd|phrase|code)|pwd|secret|credentials?|api[_-]?key|(?:access|auth|secret|private|encryption|signing|master|account|service|session|license)[_-]?key|token|authorization|cookie)";
const PASSWORD_VARIABLE =
  "(?:[A-Z0-9_]{0,60}(?:PASS(?:WORD|WD|PHRASE|CODE)|PWD|SECRET)|(?:[A-Z0-9]{1,30}_){0,6}PASS)";
const TOKEN_VARIABLE = "[A-Z0-9_]{0,60}(?:TOKEN|CREDENTIALS?)";
const KEY_VARIABLE = `(?:(?:[A-Z0-9]{1,30}_){0,6}KEY|(?:${PASSWORD_VARIABLE}|${TOKEN_VARIABLE}|(?:[A-Z0-9]{1,30}_){0,6}KEY)_[A-Z0-9_]{1,40})`;
const QUOTED = `"([^"\\\\\\n]{3,500})"|'([^'\\\\\\n]{3,500})'`;
const VALUE = `(?:${QUOTED}|([^\\s"'\`\\\\|;&<>]{3,500}))`;

const LINE_START = "(?:^|(?<=^[A-Za-z_]{1,60}=))";

const variable = (name: string, value: string) =>
  new RegExp(
    `${LINE_START}[ \\t]{0,40}(?:export[ \\t]{1,8}|set[ \\t]{1,8}|\\$env:)?${name}[ \\t]{0,40}=[ \\t]{0,40}(?:${value})(?=[ \\t]{0,40}(?:[#;\\r]|$))`,
    "gm",
  );
const UNQUOTED = "([^\\s\"'`\\\\#();]{6,1000})";

const RULES: readonly AssignmentRule[] = [
  {
    rule: "access token",
    pattern: /\b(?:Bearer|bearer|BEARER|token)\s{1,8}([A-Za-z0-9._~+/=-]{16,8000})/g,
    isValue: isRandom,
  },
  {
    rule: "access token",
    pattern: /\b(?:Basic|basic|BASIC)\s{1,8}([A-Za-z0-9+/_-]{8,2000}={0,2})/g,
    isValue: (code) => isRandom(code) && (code.length >= 16 || credentialsIn(code).length > 0),
    values: (code) => [code, ...credentialsIn(code)],
  },
  // Registries in settings of Docker and npm.
  {
    rule: "access token",
    pattern: /(?:"auth"\s{0,8}:\s{0,8}"|\b_auth\s{0,8}=\s{0,8}"?)([A-Za-z0-9+/_-]{6,4000}={0,2})/g,
    isValue: (code) => credentialsIn(code).length > 0,
    values: (code) => [code, ...credentialsIn(code)],
  },
  { rule: "access token", pattern: /"(?:identity|registry)token"\s{0,8}:\s{0,8}"([^"\\\n]{8,4000})"/g },
  { rule: "access token", pattern: /\bhttps?:\/\/([^\s/:@"'`<>]{16,500})@/g, isValue: isRandom },
  {
    rule: "access token",
    pattern:
      /[?&](?:access_token|auth|api_?key|key|token|sig|signature|secret|client_secret|code|password|X-Amz-(?:Signature|Credential|Security-Token))=([^&\s"'`<>\\]{8,4000})/gi,
    isValue: isRandom,
  },
  {
    rule: "access token",
    pattern: /\b(?:AccountKey|SharedAccessKey|SharedAccessSignature)=([A-Za-z0-9+/=%&_-]{20,500})/g,
  },
  { rule: "session cookie", pattern: /\b(?:Set-)?Cookie: ?([^\s;"'`\\][^\r\n"'`\\]{7,4000})/gi },
  {
    rule: "password",
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'`]{0,200}:[^\s/"'`]{3,500}@[^\s/"'`@]/gi,
    values: credentialsOfAddress,
  },
  {
    rule: "password",
    pattern: /\s(?:--?[a-z-]{0,20}(?:pass(?:word|wd|phrase)|token|secret|key))[= ]["']?([^\s"'`\\]{6,500})/g,
    isValue: isRandom,
  },
  {
    rule: "password",
    pattern: new RegExp(`\\s--?[a-z-]{0,20}(?:pass(?:word|wd|phrase)?|pwd)=${VALUE}`, "g"),
    isValue: isNoPlaceholder,
  },
  // curl and compatible tools: also `-uann:…` and `-sSu ann:…`.
  {
    rule: "password",
    pattern:
      /\s(?:-[a-zA-Z]{0,8}u ?|--(?:proxy-)?user[= ])(?:"[^":\n]{1,100}:([^"\n]{3,500})"|'[^':\n]{1,100}:([^'\n]{3,500})'|[^\s:"'`\\]{1,100}:([^\s"'`\\]{4,500}))/g,
    isValue: (value) => isNoPlaceholder(value) && !/^(?:\d{1,6}$|\/)/.test(value), // `docker -u 1000:1000`, `rsync -u host:/folder`
  },
  // `mysql -p…`; other clients take the password as the next argument.
  {
    rule: "password",
    pattern: new RegExp(
      `\\b(?:mysql[a-z]{0,8}|mariadb(?:-[a-z]{1,10})?|sshpass|7z)(?:\\.exe)?\\s(?:[^\\n|;&]{0,300}?\\s)?-p${VALUE}`,
      "g",
    ),
    isValue: isNoPlaceholder,
  },
  {
    rule: "password",
    pattern: new RegExp(
      `\\b(?:mongo[a-z]{0,8}|sshpass|(?:docker|podman)\\s{1,8}login)\\s(?:[^\\n|;&]{0,300}?\\s)?-p\\s{1,8}${VALUE}`,
      "g",
    ),
    isValue: isNoPlaceholder,
  },
  // .netrc, in one line or several
  {
    rule: "password",
    pattern:
      /(?:\bmachine\s{1,40}(?:[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}|localhost)|\bmachine[ \t]{1,40}\S{1,255}[ \t]{0,40}\r?\n|(?:^|(?<="|^[A-Za-z_]{1,60}=))[ \t]{0,40}default)\s{1,40}(?:(?:login|account)\s{1,40}\S{1,255}\s{1,40}){0,2}password\s{1,40}"?([^\s"]{3,500})/gm,
    isValue: isNoPlaceholder,
  },
  {
    rule: "password",
    pattern: variable(`(?:${PASSWORD_VARIABLE}|${TOKEN_VARIABLE})`, `${QUOTED}|${UNQUOTED}`),
    isValue: (value) => isRandom(value) && isNoPlaceholder(value),
  },
  // A password may be a word. In quotes it may as well be a constant of a program.
  {
    rule: "password",
    pattern: variable(PASSWORD_VARIABLE, "([A-Za-z]{8,100})"),
    isValue: (value) => isNoPlaceholder(value) && !/pass|secret|token/i.test(value),
  },
  { rule: "api key", pattern: variable(KEY_VARIABLE, `${QUOTED}|${UNQUOTED}`), isValue: isDense },
  {
    rule: "password",
    pattern: new RegExp(
      `${SECRET_NAME}["'\`\\]]{0,2}\\s{0,8}[ \\t]{0,32}(?:=>|:=|:|=)\\s{0,8}[ \\t]{0,32}["'\`]{0,3}([^\\s"'\`\\\\,;<>(){}\\[\\]]{6,1000})`,
      "gi",
    ),
    isValue: isRandom,
    isNoCall: true,
  },
  {
    rule: "password",
    pattern: new RegExp(`${SECRET_NAME}"\\s{0,8}:\\s{0,8}"([^"\\\\\\n]{5,1000})"`, "gi"),
    isValue: isNoPlaceholder,
  },
];

export const FIND_ASSIGNED_SECRETS: readonly FindSecrets[] = RULES.map(
  ({ rule, pattern, isValue, isNoCall, values = (value) => [value] }): FindSecrets =>
    (text, report) => {
      for (const match of text.matchAll(pattern)) {
        const value = match.slice(1).find((group) => group !== undefined) ?? match[0];
        if (isValue?.(value) === false || isVariable(value)) continue;
        const end = match.index + match[0].length;
        if (isNoCall && /[([{]/.test(text[end] ?? "")) continue;
        const texts = values(value);
        if (texts.length === 0) continue;
        const start = match.index + match[0].lastIndexOf(value);
        report({ rule, texts, isWord: value.length < 8 }, start, start + value.length);
      }
    },
);

const SECRET_MEMBER = new RegExp(`${SECRET_NAME}$`, "i");
const PLACEHOLDERS =
  /^(?:string|null|none|true|false|undefined|required|optional|include|omit|same-origin|(?:your|my|the)?[-_ ]?(?:db|user)?[-_ ]?(?:password|passwd|secret|token)(?:[-_ ]here)?|your[-_ ].{1,40}|bearer|basic|changeme|change[-_]me|redacted|hidden|example|test|\.{3,}|(.)\1{2,})$/i;

function isNoPlaceholder(value: string): boolean {
  return !PLACEHOLDERS.test(value);
}

export function isSecretMember(member: string, value: string): boolean {
  if (value.length < 5 || value.length > 4_000 || member.length > 200 || !SECRET_MEMBER.test(member))
    return false;
  return isNoPlaceholder(value) && !isVariable(value);
}

/** Base64 of user and password, and the password alone; empty for other data. */
function credentialsIn(code: string): readonly string[] {
  const text = Buffer.from(code, "base64").toString("utf8");
  const [, user = "", password = ""] =
    /^([^\p{Cc}\ufffd:]{0,200}):([^\p{Cc}\ufffd]{1,1000})$/u.exec(text) ?? [];
  if (password === "" || isVariable(password) || PLACEHOLDERS.test(password)) return [];
  return password.length < 4 ? [`${user}:${password}`] : [`${user}:${password}`, password];
}

export function credentialsOfAddress(address: string): readonly string[] {
  const [, user = "", password = ""] = /:\/\/([^\s/:@]*):([^\s/]+)@/.exec(address) ?? [];
  if (password === "" || isVariable(password) || PLACEHOLDERS.test(password)) return [];
  const texts = password.length < 4 ? [`${user}:${password}`] : [password];
  try {
    return [...new Set([...texts, decodeURIComponent(texts[0]!)])];
  } catch {
    return texts;
  }
}

function isVariable(value: string): boolean {
  return /^(?:[$%<{*]|process\.|os\.|env\.|self\.|this\.|config\.|settings\.|secrets\.)|\$\{|\{\{|^x{4,}|^\*{3,}|\.{3}$/i.test(
    value,
  );
}

/** Not a word: code mentions passwords and tokens, too. */
function isRandom(value: string): boolean {
  return /[A-Za-z]/.test(value) && /[\d!@#$%^&*+~]/.test(value);
}

/** Only a generator creates such values: `CACHE_KEY = user_list_v2` is a name. */
function isDense(value: string): boolean {
  return (
    value.length >= 16 && /(?:\d.*){3}/.test(value) && /[A-Za-z]/.test(value) && !/:\/\/|^[./]/.test(value)
  );
}

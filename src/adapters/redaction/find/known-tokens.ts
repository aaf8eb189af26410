import type { FindSecrets } from "../findings.js";

/** Values that are secrets by how they begin, or by what stands before them. */
interface TokenRule {
  readonly rule: string;
  /** With the value as its group, where it is not all of the match. Each repetition has a bound, and begins with what it cannot go on with. */
  readonly pattern: RegExp;
  readonly isValue?: (value: string) => boolean;
  /** Whether what is called or indexed, as `token = make()`, is none. */
  readonly isNoCall?: boolean;
  /** All values in what was matched. Default is the value itself. */
  readonly values?: (value: string) => readonly string[];
}

/** Names of members, variables and options whose values are secrets, by how they end. */
const SECRET_NAME =
  "(?:pass(?:word|wd|phrase|code)|pwd|secret|credentials?|api[_-]?key|(?:access|auth|secret|private|encryption|signing|master|account|service|session|license)[_-]?key|token|authorization|cookie)";

/** What the preset of secretlint does not know, or knows in one length alone. */
const TOKENS: readonly TokenRule[] = [
  { rule: "api key", pattern: /\b[spr]k[-_][A-Za-z0-9_-]{16,500}/g, isValue: isRandom },
  { rule: "api key", pattern: /\bAIza[A-Za-z0-9_-]{30,60}/g },
  {
    rule: "api key",
    pattern:
      /\b(?:gsk|xai|pplx|r8|hf|lin_api|dop_v1|nvapi|tvly|whsec|shp(?:at|ca|pa|ss))[-_][A-Za-z0-9]{20,200}/g,
  },
  { rule: "api key", pattern: /\bSG\.[A-Za-z0-9_-]{16,100}\.[A-Za-z0-9_-]{16,100}/g },
  { rule: "api key", pattern: /\b(?:AC|SK|dapi|fc-)[0-9a-f]{32}\b/g },
  { rule: "AWS key", pattern: /\b(?:A3T[A-Z0-9]|AKIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ASIA)[A-Z0-9]{16}\b/g },
  { rule: "GitHub token", pattern: /\b(?:gh[opusr]|github_pat)_[A-Za-z0-9_]{20,255}/g },
  { rule: "npm token", pattern: /\bnpm_[A-Za-z0-9]{20,100}/g },
  { rule: "Slack token", pattern: /\bxox[a-z]-[A-Za-z0-9-]{10,300}/g },
  { rule: "access token", pattern: /\bgl(?:pat|dt|rt|cbt|ptt)-[A-Za-z0-9_.-]{16,300}/g },
  { rule: "access token", pattern: /\bpypi-[A-Za-z0-9_-]{40,300}/g },
  { rule: "access token", pattern: /\b(?:ya29|hv[sbr])\.[A-Za-z0-9_.-]{20,2000}/g },
  { rule: "access token", pattern: /\b\d{8,10}:AA[A-Za-z0-9_-]{32,40}/g }, // of a Telegram bot
  {
    rule: "web hook",
    pattern:
      /https:\/\/(?:hooks\.slack\.com\/[a-z]{5,20}|discord(?:app)?\.com\/api\/webhooks)\/[A-Za-z0-9_/-]{10,300}/g,
  },
  { rule: "private key", pattern: /\bAGE-SECRET-KEY-1[A-Z0-9]{40,80}/g },
  {
    rule: "JSON Web Token",
    pattern: /\beyJ[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{2,8000}(?:\.[A-Za-z0-9_-]{1,8000})?/g,
  },
  {
    rule: "access token",
    pattern: /\b(?:Bearer|bearer|BEARER|Basic|basic|BASIC|token)\s{1,8}([A-Za-z0-9._~+/=-]{16,8000})/g,
    isValue: isRandom,
  },
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
  { rule: "password", pattern: /\s(?:-u|--user)[= ]["']?[^\s:"'`\\]{1,100}:([^\s"'`\\]{4,500})/g },
  {
    rule: "password",
    pattern: new RegExp(
      `${SECRET_NAME}["'\`\\]]{0,2}\\s{0,8}(?:=>|:=|:|=)\\s{0,8}["'\`]{0,3}([^\\s"'\`\\\\,;<>(){}\\[\\]]{6,1000})`,
      "gi",
    ),
    isValue: isRandom,
    isNoCall: true,
  },
  // A member in JSON that is a part of a text: whatever its value looks like.
  {
    rule: "password",
    pattern: new RegExp(`${SECRET_NAME}"\\s{0,8}:\\s{0,8}"([^"\\\\\\n]{5,1000})"`, "gi"),
    isValue: (value) => !PLACEHOLDERS.test(value),
  },
];

export const findTokens: FindSecrets = (text, report) => {
  for (const { rule, pattern, isValue, isNoCall, values = (value: string) => [value] } of TOKENS) {
    for (const match of text.matchAll(pattern)) {
      const value = match[1] ?? match[0];
      if (isValue?.(value) === false || isVariable(value)) continue;
      if (
        isNoCall &&
        /^[([{]/.test(text.slice(match.index + match[0].length, match.index + match[0].length + 1))
      )
        continue;
      const texts = values(value);
      if (texts.length === 0) continue;
      const start = match.index + match[0].lastIndexOf(value);
      report({ rule, texts, isWord: value.length < 8 }, start, start + value.length);
    }
  }
};

const SECRET_MEMBER = new RegExp(`${SECRET_NAME}$`, "i");
/** What stands where a secret would. */
const PLACEHOLDERS =
  /^(?:string|null|none|true|false|undefined|required|optional|include|omit|same-origin|password|passwd|secret|token|bearer|basic|changeme|redacted|hidden|example|test)$/i;

/** The value of a member whose name says that it is a secret, whatever it looks like. */
export function isSecretMember(member: string, value: string): boolean {
  if (value.length < 5 || value.length > 4_000 || member.length > 200 || !SECRET_MEMBER.test(member))
    return false;
  return !PLACEHOLDERS.test(value) && !isVariable(value);
}

/** The password in the address of a service, and as it is read. */
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

/** Whether it names a value instead of being one. */
function isVariable(value: string): boolean {
  return /^(?:[$%<{*]|process\.|os\.|env\.|self\.|this\.|config\.|settings\.|secrets\.)|\$\{|\{\{|^x{4,}|^\*{3,}|\.{3}$/i.test(
    value,
  );
}

/** Whether it is no word: code speaks of passwords and tokens, too. */
function isRandom(value: string): boolean {
  return /[A-Za-z]/.test(value) && /[\d!@#$%^&*+~]/.test(value);
}

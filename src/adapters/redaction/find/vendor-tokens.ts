import type { FindSecrets, Report } from "../findings.js";

interface TokenForm {
  readonly rule: string;
  readonly prefixes: readonly string[];
  /** Follows a prefix. Each repetition has a bound. */
  readonly body: string;
  /** With the prefix. A fixed length shows where a token with line breaks ends. */
  readonly length?: number | undefined;
}

const LETTERS = "[A-Za-z0-9]";
const WORD = "[A-Za-z0-9_]";
const URL_SAFE = "[A-Za-z0-9_-]";
const BASE64 = "[A-Za-z0-9+/]";
const HEX = "[0-9a-f]";
const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
/** More characters would make it something else. */
const END = "(?![A-Za-z0-9])";

const form = (rule: string, prefixes: string, body: string, length?: number): TokenForm => ({
  ...{ rule, prefixes: prefixes.split(" "), body, length },
});

/** Vendors change lengths over the years: they are exact only for weak prefixes. */
const FORMS: readonly TokenForm[] = [
  form("GitHub token", "ghp_ gho_ ghu_ ghr_", `${WORD}{20,255}`, 40),
  form("GitHub token", "ghs_", `${URL_SAFE}{20,2000}(?:\\.${URL_SAFE}{10,2000}){0,2}`),
  form("GitHub token", "github_pat_", `${WORD}{20,255}`, 93),
  form(
    "access token",
    "glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- glsoat- glffct- gloas- glwt- GR1348941",
    `[A-Za-z0-9_.-]{15,299}${URL_SAFE}`,
  ),
  form("npm token", "npm_", `${LETTERS}{20,100}`, 40),
  form("access token", "pypi-", `${URL_SAFE}{40,1000}`),
  form("access token", "rubygems_", `${HEX}{48}${END}`, 57),
  form("access token", "cio", `(?=${LETTERS}{0,31}\\d)${LETTERS}{32}${END}`, 35),
  form("access token", "CLOJARS_", `${LETTERS}{60}${END}`, 68),
  form("access token", "dckr_pat_ dckr_oat_", `${URL_SAFE}{20,60}`),
  form("access token", "AKCp", `${LETTERS}{69}${END}`, 73),
  form("access token", "squ_ sqp_ sqa_", `${HEX}{40}${END}`, 44),
  form("access token", "bkua_", `${HEX}{40}${END}`, 45),
  form("access token", "CCIPAT_ CCIPRJ_", `${LETTERS}{10,40}_${HEX}{40}${END}`),

  form("api key", "sk_live_ sk_test_ sk_org_ rk_live_ rk_test_", `${WORD}{16,300}`),
  form("web hook", "whsec_", `[A-Za-z0-9+/=_-]{20,200}`),
  form("api key", "sq0atp- sq0csp- sq0idp-", `${URL_SAFE}{22,60}`),
  form("api key", "EAAA", `${URL_SAFE}{60}(?![A-Za-z0-9_+/=-])`, 64),
  form("api key", "shpat_ shpca_ shppa_ shpss_ shptka_ shpua_", `${LETTERS}{20,64}`, 38),
  form("api key", "access-sandbox- access-development- access-production-", `${UUID}${END}`),
  form("api key", "EZAK EZTK", `${LETTERS}{54}${END}`, 58),

  form("api key", "AC SK", `${HEX}{32}${END}`, 34), // Twilio
  form("api key", "SG.", `${URL_SAFE}{16,100}\\.${URL_SAFE}{16,100}`, 69),
  form("api key", "key-", `(?<!${URL_SAFE}key-)${HEX}{32}${END}`, 36), // Mailgun; `cache-key-…` is something else
  form("api key", "xkeysib- xsmtpsib-", `${HEX}{64}-${LETTERS}{16}${END}`),
  form(
    "Slack token",
    "xox",
    `(?:d-[A-Za-z0-9%+/_-]{10,400}={0,2}|e\\.xox[a-z]-[A-Za-z0-9-]{10,400}|[a-z]-[A-Za-z0-9-]{10,400})`,
  ),
  form("Slack token", "xapp- xwfp-", `\\d{1,3}-[A-Za-z0-9-]{20,300}`),
  form("access token", "mfa.", `${URL_SAFE}{80,100}`), // Discord

  form("api key", "AIza", `${URL_SAFE}{30,60}`, 39),
  form("api key", "AQ.Ab", `${URL_SAFE}{30,200}`),
  form("access token", "ya29.", "[A-Za-z0-9_.-]{20,2000}"),
  form("access token", "1//0", `${URL_SAFE}{30,300}`),
  form("access token", "GOCSPX-", `${URL_SAFE}{20,40}`, 35),
  form("AWS key", "AKIA ASIA ABIA ACCA AGPA AIDA AROA AIPA ANPA ANVA", `[A-Z0-9]{16}${END}`, 20),
  form("AWS key", "A3T", `[A-Z0-9]{17}${END}`, 20),
  form("AWS key", "ABSK", `${BASE64}{100,300}={0,2}`),
  form("AWS key", "bedrock-api-key- IQoJb3JpZ2lu FwoGZXIvYXdz", "[A-Za-z0-9+/=_-]{60,4000}"),
  form("api key", "LTAI", `${LETTERS}{16,24}${END}`),
  form("access token", "doo_v1_ dop_v1_ dor_v1_", `${LETTERS}{20,200}`, 71),
  form("access token", "hvs. hvb. hvr.", `${URL_SAFE}{20,2000}`),
  form("access token", "dp.pt. dp.ct. dp.sa. dp.scim. dp.audit.", `${LETTERS}{40,50}`),
  form("access token", "dp.st.", `(?:[a-z0-9_-]{2,60}\\.)?${LETTERS}{40,50}`),
  form("access token", "pul-", `${HEX}{40}${END}`, 44),
  form("access token", "dapi dose", `${HEX}{32}(?:-\\d)?${END}`),
  form("access token", "dt0c01. dt0s16.", `[A-Z0-9]{8,24}\\.[A-Z0-9]{64}${END}`),
  form("access token", "glsa_", `${LETTERS}{32}_${HEX}{8}${END}`, 46),
  form("access token", "glc_ eyJrIjoi", `${BASE64}{40,400}={0,3}`),
  form("api key", "NRAK-", `[A-Z0-9]{27}${END}`, 32),
  form("api key", "NRJS- NRII- NRAA- NRRA- NRIQ- NRSP-", `${URL_SAFE}{19,60}`),
  form("access token", "sntrys_", "eyJ[A-Za-z0-9+/=_-]{60,600}"),
  form("access token", "sntryu_ sntrya_ sntryi_", `${HEX}{64}${END}`, 71),
  form("access token", "sbp_", `(?:v0_|oauth_)?${HEX}{40}${END}`),
  form("api key", "sb_secret_", `${URL_SAFE}{20,60}`),
  form("access token", "vcp_ vci_ vca_ vcr_ vck_", `${LETTERS}{24,100}`),
  form("access token", "vercel_blob_rw_", `${WORD}{30,100}`),
  form("access token", "nfp_ nfo_ nfc_ nfu_ nfb_", `${WORD}{30,60}`, 40),
  form("access token", "cfk_ cfut_ cfat_", `${LETTERS}{40,60}`),
  form("api key", "v1.0-", `${HEX}{24}-${HEX}{146}${END}`),
  form(
    "access token",
    "fm1a_ fm1r_ fm2_ fo1_",
    "[A-Za-z0-9+/=_-]{40,4000}(?:,fm[12][ar]?_[A-Za-z0-9+/=_-]{40,4000}){0,8}",
  ),
  form("access token", "pscale_tkn_ pscale_pw_ pscale_oauth_", "[A-Za-z0-9_.=-]{31,63}[A-Za-z0-9_=-]"),
  form("access token", "tskey-", `[a-z]{2,10}-[A-Za-z0-9-]{10,100}`),
  form("access token", "HRKU-", `${URL_SAFE}{36,70}`),

  form("api key", "sk-ant- sk-proj- sk-svcacct- sk-admin- sk-or-v1-", `${URL_SAFE}{20,300}`),
  form("api key", "gsk_ xai- pplx- r8_ hf_ csk-", `${LETTERS}{20,200}`),
  form("api key", "api_org_", `${LETTERS}{30,40}`),
  form("api key", "nvapi- tvly-", `${URL_SAFE}{20,200}`),
  form("api key", "fc-", `${HEX}{32}${END}`, 35),
  form("api key", "lsv2_pt_ lsv2_sk_", `${HEX}{32}_${HEX}{10}${END}`, 51),
  form("api key", "pcsk_", `${WORD}{40,100}`),

  form("api key", "lin_api_ lin_oauth_ lin_wh_", `${LETTERS}{20,200}`),
  form("api key", "ntn_", `${LETTERS}{40,60}`, 50),
  form("api key", "secret_", `(?=${LETTERS}{0,42}\\d)${LETTERS}{43}${END}`, 50), // Notion
  form("api key", "figd_ figo_ figu_ figor_ figur_ figoh_", `${URL_SAFE}{30,100}`),
  form("api key", "PMAK-", `${HEX}{24}-${HEX}{34}${END}`, 64),
  form("api key", "PMAT-", `[A-Z0-9]{26}${END}`, 31),
  form("api key", "pat-na1- pat-na2- pat-eu1- pat-ap1-", `${UUID}${END}`, 44),
  form("api key", "pat", `${LETTERS}{14}\\.${HEX}{64}${END}`, 82), // Airtable
  form("api key", "CFPAT-", `${URL_SAFE}{43}`, 49),
  form("access token", "ATATT3 ATCTT3 ATSTT3", "[A-Za-z0-9_=-]{60,300}"),
  form("access token", "ATBB", `${LETTERS}{32}${END}`, 36),
  form("access token", "BBDC-", "[A-Za-z0-9+/@_-]{40,50}"),
  form("access token", "sl.", `(?:u\\.)?${URL_SAFE}{120,2000}`), // Dropbox
  form("api key", "phx_ phs_", `${URL_SAFE}{40,60}`),
  form("api key", "apify_api_", `${LETTERS}{30,50}`),
  form("api key", "tgp_v1_", `${URL_SAFE}{40,50}`),
  form(
    "1Password token",
    "A3-",
    "[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}(?![A-Za-z0-9-])",
  ),
  form("private key", "AGE-SECRET-KEY-1 AGE-SECRET-KEY-PQ-1", "[A-Z0-9]{40,4000}"),
];

const OTHERS: readonly {
  readonly rule: string;
  /** Each match contains it. Other texts are skipped, because the pattern would examine every word. */
  readonly holds?: string;
  readonly pattern: RegExp;
  readonly isValue?: (value: string) => boolean;
}[] = [
  // Telegram
  { rule: "access token", pattern: /(?<![A-Za-z0-9])\d{8,10}:AA[A-Za-z0-9_-]{32,40}/g },
  // Discord
  {
    rule: "access token",
    pattern: /(?<![A-Za-z0-9_-])[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}/g,
  },
  // Mailchimp, Mailgun
  { rule: "api key", pattern: /(?<![A-Za-z0-9])[0-9a-f]{32}-us\d{1,2}(?![A-Za-z0-9])/g },
  { rule: "api key", pattern: /(?<![A-Za-z0-9-])[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![A-Za-z0-9-])/g },
  // Terraform Cloud
  {
    rule: "access token",
    holds: ".atlasv1.",
    pattern: /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,100}/g,
  },
  // New Relic
  { rule: "api key", holds: "NRAL", pattern: /(?<![A-Za-z0-9])[A-Za-z0-9]{36}NRAL(?![A-Za-z0-9])/g },
  // Azure
  {
    rule: "access token",
    holds: "Q~",
    pattern: /(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{30,36}/g,
  },
  {
    rule: "access token",
    holds: "JQQJ9",
    pattern: /(?<![A-Za-z0-9])[A-Za-z0-9]{52}JQQJ9[A-Za-z0-9]{10,40}(?:={0,2})/g,
  },
  {
    rule: "web hook",
    pattern:
      /https:\/\/(?:hooks\.slack\.com\/[a-z]{5,20}|(?:[a-z]{2,8}\.)?discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks)\/[A-Za-z0-9_/-]{10,300}/g,
  },
  // OpenAI, DeepSeek and others; also publishable keys of the same form.
  {
    rule: "api key",
    pattern: /(?<![A-Za-z0-9])[spr]k[-_][A-Za-z0-9_-]{16,500}/g,
    isValue: (value) => /\d/.test(value),
  },
];

/** A JSON Web Token has three parts, an encrypted one five. It may take thousands of characters: it is searched by its parts. */
const MOST_PARTS = 5;
const DOTTED = /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+/g;
const WEB_TOKEN = /(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{8}/;
const WEB_TOKEN_FORM = form(
  "JSON Web Token",
  "eyJ",
  `${URL_SAFE}{8,2000}\\.${URL_SAFE}{2,8000}(?:\\.${URL_SAFE}{1,8000}){0,3}`,
);

interface CompiledForm extends TokenForm {
  readonly pattern: RegExp;
}

const BY_PREFIX = new Map<string, CompiledForm>(
  [...FORMS, WEB_TOKEN_FORM].flatMap((one) => {
    const compiled = {
      ...one,
      pattern: new RegExp(`(?:${one.prefixes.map(escaped).join("|")})${one.body}`, "y"),
    };
    return one.prefixes.map((prefix): [string, CompiledForm] => [prefix, compiled]);
  }),
);
const prefixes = [...BY_PREFIX.keys()]
  .toSorted((a, b) => b.length - a.length)
  .map(escaped)
  .join("|");
const PREFIX = new RegExp(`(?<![A-Za-z0-9])(?:${prefixes})`, "g");
const PREFIX_ANYWHERE = new RegExp(prefixes, "g");

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

export const FIND_VENDOR_TOKENS: readonly FindSecrets[] = [
  (text, report) => {
    PREFIX.lastIndex = 0;
    for (let hit = PREFIX.exec(text); hit !== null; hit = PREFIX.exec(text)) {
      const { rule, pattern } = BY_PREFIX.get(hit[0])!;
      if (hit[0] === "eyJ") continue;
      const value = matchAt(pattern, text, hit.index);
      if (value === undefined || isPlaceholder(value, hit[0])) continue;
      const end = hit.index + value.length;
      report({ rule, texts: [value] }, hit.index, end);
      PREFIX.lastIndex = end;
    }
  },
  (text, report) => {
    if (!text.includes("eyJ")) return;
    for (const { 0: dotted, index } of text.matchAll(DOTTED)) {
      if (!dotted.includes("eyJ")) continue;
      const parts = dotted.split(".");
      let start = index;
      while (parts.length > 1) {
        const at = parts[0]!.search(WEB_TOKEN);
        const isToken = at !== -1 && parts[1]!.length > 1;
        const token = parts.splice(0, isToken ? MOST_PARTS : 1).join(".");
        if (isToken) {
          report({ rule: WEB_TOKEN_FORM.rule, texts: [token.slice(at)] }, start + at, start + token.length);
        }
        start += token.length + 1;
      }
    }
  },
  ...OTHERS.map(
    ({ rule, holds = "", pattern, isValue = () => true }): FindSecrets =>
      (text, report) => {
        if (!text.includes(holds)) return;
        for (const { 0: value, index } of text.matchAll(pattern)) {
          if (isValue(value) && !isPlaceholder(value, ""))
            report({ rule, texts: [value] }, index, index + value.length);
        }
      },
  ),
];

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** For example `ghp_xxxxxxxxxxxxxxxxxxxx`. */
function isPlaceholder(value: string, prefix: string): boolean {
  const body = value.slice(prefix.length).replace(/[^A-Za-z0-9]/g, "");
  return /^(.)\1*$/.test(body) || (/your/i.test(body) && !/\d/.test(body));
}

const MOST_LINES = 32;
const LONGEST = 8_192;

/**
 * Searches a view of joined lines. A token that is complete within a line includes the next line only if that gives it its vendor's
 * length, or starts with random text.
 */
export function findBrokenTokens(text: string, lineBreaks: readonly number[], report: Report): void {
  let next = 0;
  PREFIX_ANYWHERE.lastIndex = 0;
  for (let hit = PREFIX_ANYWHERE.exec(text); hit !== null; hit = PREFIX_ANYWHERE.exec(text)) {
    const { index: start } = hit;
    while (next < lineBreaks.length && lineBreaks[next]! <= start) next++;
    if (/[A-Za-z0-9]/.test(text[start - 1] ?? "") && lineBreaks[next - 1] !== start) continue;
    const token = BY_PREFIX.get(hit[0])!;
    const ends = lineBreaks.slice(next, next + MOST_LINES).filter((end) => end - start < LONGEST);
    const end = ends.length === 0 ? undefined : endOfToken(text, start, ends, token);
    if (end === undefined || end <= ends[0]! || isPlaceholder(text.slice(start, end), hit[0])) continue;
    report({ rule: token.rule, texts: [text.slice(start, end)] }, start, end);
    PREFIX_ANYWHERE.lastIndex = end;
  }
}

/** @param ends line breaks after the start */
function endOfToken(
  text: string,
  start: number,
  ends: readonly number[],
  { pattern, length }: CompiledForm,
): number | undefined {
  let complete: number | undefined;
  for (const lineEnd of [...ends, Math.min(text.length, start + LONGEST)]) {
    const value = matchAt(pattern, text.slice(start, lineEnd), 0);
    if (value === undefined) continue;
    const end = start + value.length;
    if (value.length === length) return end;
    if (complete === end) return complete;
    const isLonger = complete === undefined || (length !== undefined && value.length < length);
    if (!isLonger && !looksRandom(text.slice(complete, end), text[end])) return complete;
    complete = end;
  }
  return complete;
}

/** Letters with digits, or of changing case. Excludes names of assignments. */
function looksRandom(part: string, following = ""): boolean {
  if (/[=:(]/.test(following)) return false;
  return part
    .split(/[^A-Za-z0-9]/)
    .some((word) => /\d[A-Za-z]|[a-z]\d/.test(word) || /[a-z][A-Z].*[a-z][A-Z]/.test(word));
}

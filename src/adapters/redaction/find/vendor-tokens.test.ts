import { describe, expect, it } from "vitest";
import { redactedTexts } from "../../../../test/support/redacted-records.js";

/** A text of a character set that repeats nothing. A literal token would alarm scanners of repositories. */
function chars(length: number, of = "aB3dE5fG7hJ9kL2mN4pQ6rS8tV"): string {
  return Array.from({ length }, (_, i) => of[(i * i + 3 * i) % of.length]).join("");
}
const hex = (length: number) => chars(length, "0a1b2c3d4e5f678");
const capitals = (length: number) => chars(length, "A2B3C4D5E6F7GH");
const digits = (length: number) => chars(length, "3141592");

const TOKENS: Readonly<Record<string, string>> = {
  "1Password": `A3-${capitals(6)}-${capitals(11)}-${capitals(5)}-${capitals(5)}-${capitals(5)}`,
  age: `AGE-SECRET-KEY-1${capitals(58)}`,
  Airtable: `pat${chars(14)}.${hex(64)}`,
  Anthropic: `sk-ant-api03-${chars(93)}AA`,
  Artifactory: `AKCp${chars(69)}`,
  Atlassian: `ATATT3xFfGF0${chars(180)}`,
  AWS: `AKIA${capitals(16)}`,
  "AWS, temporary": `ASIA${capitals(16)}`,
  "AWS Bedrock": `ABSK${chars(120)}`,
  "Azure client": `${chars(3)}8Q~${chars(34)}`,
  "Azure DevOps": `${chars(52)}JQQJ9${chars(27)}`,
  Bitbucket: `ATBB${chars(32)}`,
  Buildkite: `bkua_${hex(40)}`,
  Cerebras: `csk-${chars(48)}`,
  Clojars: `CLOJARS_${hex(60)}`,
  CircleCI: `CCIPAT_${chars(22)}_${hex(40)}`,
  Cloudflare: `v1.0-${hex(24)}-${hex(146)}`,
  Contentful: `CFPAT-${chars(43)}`,
  crates: `cio${chars(32)}`,
  Databricks: `dapi${hex(32)}`,
  DigitalOcean: `dop_v1_${hex(64)}`,
  Discord: `M${chars(25)}.${chars(6)}.${chars(38)}`,
  Docker: `dckr_pat_${chars(27)}`,
  Doppler: `dp.pt.${chars(43)}`,
  "Doppler, service": `dp.st.dev.${chars(43)}`,
  Dropbox: `sl.${chars(140)}`,
  Dynatrace: `dt0c01.${capitals(24)}.${capitals(64)}`,
  EasyPost: `EZAK${chars(54)}`,
  Figma: `figd_${chars(40)}`,
  "Fly.io": `fm2_${chars(120)}`,
  GitHub: `ghp_${chars(36)}`,
  "GitHub, app": `ghs_${chars(36)}`,
  "GitHub, fine-grained": `github_pat_${chars(22)}_${chars(59)}`,
  "GitHub, OAuth": `gho_${chars(36)}`,
  "GitHub, refresh": `ghr_${chars(36)}`,
  "GitHub, user": `ghu_${chars(36)}`,
  GitLab: `glpat-${chars(20)}`,
  "GitLab, CI": `glcbt-${chars(26)}`,
  Google: `AIza${chars(35)}`,
  "Google OAuth": `ya29.${chars(80)}`,
  "Google OAuth client": `GOCSPX-${chars(28)}`,
  Grafana: `glsa_${chars(32)}_${hex(8)}`,
  Groq: `gsk_${chars(52)}`,
  Heroku: `HRKU-${chars(60)}`,
  HubSpot: `pat-na1-${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`,
  "Hugging Face": `hf_${chars(34)}`,
  JWT: `eyJ${chars(30)}.eyJ${chars(60)}.${chars(43)}`,
  LangSmith: `lsv2_pt_${hex(32)}_${hex(10)}`,
  Linear: `lin_api_${chars(40)}`,
  Mailchimp: `${hex(32)}-us12`,
  Mailgun: `key-${hex(32)}`,
  Netlify: `nfp_${chars(36)}`,
  "New Relic": `NRAK-${capitals(27)}`,
  Notion: `ntn_${chars(46)}`,
  npm: `npm_${chars(36)}`,
  Nvidia: `nvapi-${chars(64)}`,
  OpenAI: `sk-proj-${chars(74)}T3BlbkFJ${chars(74)}`,
  OpenRouter: `sk-or-v1-${hex(64)}`,
  Perplexity: `pplx-${chars(48)}`,
  PlanetScale: `pscale_tkn_${chars(43)}`,
  PostHog: `phx_${chars(43)}`,
  Postman: `PMAK-${hex(24)}-${hex(34)}`,
  Pulumi: `pul-${hex(40)}`,
  PyPI: `pypi-AgEIcHlwaS5vcmc${chars(150)}`,
  Replicate: `r8_${chars(37)}`,
  RubyGems: `rubygems_${hex(48)}`,
  SendGrid: `SG.${chars(22)}.${chars(43)}`,
  Sentry: `sntryu_${hex(64)}`,
  Shopify: `shpat_${hex(32)}`,
  "Slack, app": `xapp-1-A${capitals(10)}-${digits(13)}-${hex(64)}`,
  "Slack, bot": `xoxb-${digits(12)}-${digits(12)}-${chars(24)}`,
  "Slack, rotated": `xoxe.xoxp-1-${chars(163)}`,
  SonarQube: `squ_${hex(40)}`,
  Square: `sq0atp-${chars(22)}`,
  Stripe: `sk_live_${chars(24)}`,
  "Stripe, restricted": `rk_live_${chars(24)}`,
  Supabase: `sbp_${hex(40)}`,
  Tailscale: `tskey-auth-${chars(16)}CNTRL-${chars(32)}`,
  Tavily: `tvly-${chars(32)}`,
  Telegram: `7${digits(9)}:AA${chars(33)}`,
  Terraform: `${chars(14)}.atlasv1.${chars(67)}`,
  Twilio: `SK${hex(32)}`,
  Vault: `hvs.${chars(90)}`,
  Vercel: `vcp_${chars(56)}`,
  xAI: `xai-${chars(80)}`,
};

/** Two parts of a value with something between them. */
const halves = (between: string) => (token: string) => {
  const middle = Math.ceil(token.length / 2);
  return `${token.slice(0, middle)}${between}${token.slice(middle)}`;
};
const DISGUISES: Readonly<Record<string, (token: string) => string>> = {
  "in a colour": (token) => `\u001b[31m${token}\u001b[0m`,
  "with a colour inside": halves("\u001b[0;1m"),
  "with a colour inside, as a log of an escaped terminal has it": halves("\\u001b[0m"),
  "with an erased line inside": halves("\u001b[K"),
  "with a zero-width space inside": halves("\u200b"),
  "with a soft hyphen as an entity inside": halves("&shy;"),
  "in a colour without its escape character": (token) => `[31m${token}[0m`,
  "in percent signs": (token) =>
    [...token].map((c) => `%${c.charCodeAt(0).toString(16).padStart(2, "0")}`).join(""),
  "in hexadecimal entities without semicolons": (token) =>
    [...token]
      .map((c) => `&#x${c.charCodeAt(0).toString(16)}`)
      .join(" ")
      .replaceAll(" ", ""),
  "in JSON in JSON": (token) => JSON.stringify(JSON.stringify({ a: halves("\u200d")(token) })),
};
/** Only tokens whose prefix stands at their start are joined over lines. */
const hasPrefix = (vendor: string) =>
  !["Azure client", "Azure DevOps", "Discord", "Mailchimp", "Telegram", "Terraform", "JWT"].includes(vendor);

describe("tokens of vendors", () => {
  it("a token of each vendor is removed, and all of it", async () => {
    const vendors = Object.keys(TOKENS);
    const inProse = await redactedTexts(Object.values(TOKENS).map((token) => `use ${token} here`));
    const inJson = await redactedTexts(Object.values(TOKENS).map((token) => `{"x": "${token}"}`));
    for (const [i, vendor] of vendors.entries()) {
      expect(inProse[i], vendor).toMatch(/^use \[[^\]]+\] here$/);
      expect(inJson[i], vendor).toMatch(/^\{"x": "\[[^\]]+\]"\}$/);
    }
  });

  it.each(Object.keys(DISGUISES))("a token is removed %s", async (way) => {
    const texts = Object.values(TOKENS).map((token) => `use ${DISGUISES[way]!(token)} here`);
    const written = await redactedTexts(texts);
    for (const [i, [vendor, token]] of Object.entries(TOKENS).entries()) {
      expect(written[i], vendor).toMatch(/^use .{0,24}\[[^\]]+ \d+, \d+ characters\].{0,24} here$/);
      expect(written[i], vendor).not.toContain(token.slice(-6));
    }
  });

  it.each(["\n", "\r\n   ", "\n> ", " │\n│ "])("a token with %j inside is removed", async (lineBreak) => {
    const tokens = Object.entries(TOKENS).filter(([vendor]) => hasPrefix(vendor));
    const written = await redactedTexts(tokens.map(([, token]) => `use ${halves(lineBreak)(token)}\nhere`));
    for (const [i, [vendor, token]] of tokens.entries()) {
      expect(written[i], vendor).not.toContain(token.slice(-6));
      expect(written[i], vendor).toContain("here");
    }
  });

  it.each([
    "sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8 and uuid 123e4567-e89b-12d3-a456-426614174000",
    "class sk-loading-indicator-large and pk_primary_key_of_the_table",
    "glpat-xxxxxxxxxxxxxxxxxxxx and npm_your_token_goes_here_please",
    "https://example.com/hf_models/r8_small/list?page=2 and import { glpat } from './glpat-client'",
    "cache-key-0123456789abcdef0123456789abcdef",
    "SKU-12345678 AC-12 pat-riot key-value dp.parse sl.slice(0, 3) xapp-store",
    "integrity sha512-ipx7d4AFEjoiaB8kXlCDgnHhfHXwi1MX",
    "first line ends with hf_\nTheNextLineIsProse and continues",
    "npm_config_registry=https://registry.example.com\nnpm_lifecycle_event=test",
    "emoji 👩‍💻 and RTL \u200fשלום\u200f stay",
  ])("nothing is removed from %j", async (text) => {
    expect(await redactedTexts([text])).toEqual([text]);
  });
});

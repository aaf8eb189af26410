import type { FindSecrets } from "../findings.js";
import { credentialsOfAddress } from "./assigned-secrets.js";

interface PresetRule {
  readonly meta: { readonly id: string };
  create(
    context: {
      createTranslator(messages: unknown): (messageId: string, data?: unknown) => PresetMessage;
      report(report: PresetReport): void;
    },
    options: { readonly enableIDScanRule: boolean },
  ): { file?(source: PresetSource): unknown };
}

interface PresetReport {
  readonly message: PresetMessage;
  /** Some rules include the name before the value. */
  readonly range: readonly [number, number];
}

interface PresetMessage {
  readonly messageId: string;
  readonly data?: unknown;
}

interface PresetSource {
  readonly content: string;
  readonly filePath: string;
  readonly ext: string;
  readonly contentType: "text";
}

const NAMES: Readonly<Record<string, string>> = {
  "1password": "1Password token",
  anthropic: "api key",
  aws: "AWS key",
  basicauth: "password",
  "database-connection-string": "password",
  gcp: "private key",
  github: "GitHub token",
  linear: "api key",
  npm: "npm token",
  openai: "api key",
  privatekey: "private key",
  sendgrid: "api key",
  shopify: "api key",
  slack: "Slack token",
};

/** Lets comments disable other rules: a history must not do that. */
const COMMENTS = "filter-comments";

/** Some rules need certain file names. They receive only the text, because they would read `.p12` from the disk. */
const FILES: Readonly<Record<string, readonly string[]>> = { npm: ["package.json", ".npmrc"] };

/**
 * Runs secretlint's recommended preset without its core: that obeys comments that disable rules, and compares every two messages. It also
 * stores a performance mark per rule and text for the lifetime of the process.
 */
export async function presetRules(): Promise<FindSecrets> {
  const { rules } = (await import("@secretlint/secretlint-rule-preset-recommend")) as {
    readonly rules: readonly PresetRule[];
  };
  const used = rules.map((rule) => ({ rule, name: shortName(rule) })).filter(({ name }) => name !== COMMENTS);
  return (text, report) => {
    for (const { rule, name } of used) {
      const context = {
        createTranslator: () => (messageId: string, data?: unknown) => ({ messageId, data }),
        report({ message, range }: PresetReport) {
          const match = reportedText(message) ?? text.slice(...range);
          const start = Math.max(range[0], text.indexOf(match, range[0]));
          const texts = valuesOf(name, match);
          const hasTexts = texts.length > 0;
          if (hasTexts)
            report({ rule: NAMES[name] ?? name.replaceAll("-", " "), texts }, start, start + match.length);
        },
      };
      const { file } = rule.create(context, { enableIDScanRule: true });
      for (const filePath of FILES[name] ?? ["a.txt"]) {
        file?.({ content: text, filePath, ext: ".txt", contentType: "text" });
      }
    }
  };
}

const shortName = ({ meta }: PresetRule) => meta.id.replace("@secretlint/secretlint-rule-", "");

function reportedText({ data }: PresetMessage): string | undefined {
  const { KEY, ID, TOKEN, CREDENTIAL, URI, URL } = (data ?? {}) as Readonly<Record<string, unknown>>;
  return [KEY, ID, TOKEN, CREDENTIAL, URI, URL].find((value) => typeof value === "string") as
    | string
    | undefined;
}

/** A rule may report an assignment or an address around the value. */
function valuesOf(name: string, match: string): readonly string[] {
  if (name === "basicauth" || name === "database-connection-string") return credentialsOfAddress(match);
  if (name === "npm") return [/^[^\s"'`,;]+/.exec(match)?.[0] ?? match];
  if (name === "aws") return [/[0-9]{4}-?[0-9]{4}-?[0-9]{4}(?=["']?$)/.exec(match)?.[0] ?? match];
  return [match];
}

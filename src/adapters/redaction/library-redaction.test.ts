import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ArchiveLines, RedactionReview } from "../../application/ports/export.js";
import { InProcessPool } from "../../application/threads/in-process-pool.js";
import { createRedaction, type RedactionOptions } from "./library-redaction.js";

async function* linesOf(lines: readonly string[]): ArchiveLines {
  yield lines;
}

const redactionWith = (options?: RedactionOptions) => createRedaction(new InProcessPool(), options);

/** Reviews lines, and removes all that is found but for what is kept. */
async function redacted(
  records: readonly unknown[],
  { keep = [], ...options }: RedactionOptions & { readonly keep?: readonly string[] } = {},
): Promise<{ readonly text: string; readonly lines: readonly string[]; readonly review: RedactionReview }> {
  const redaction = redactionWith(options);
  const lines = records.map((record) => JSON.stringify(record));
  const review = await redaction.review(linesOf(lines));
  const written: string[] = [];
  for await (const batch of redaction.remove(linesOf(lines), review, { keep: new Set(keep) }))
    written.push(...batch);
  return { text: written.join("\n"), lines: written, review };
}

const KEY = "sk-ant-api03-Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA";
const GITHUB = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
const AWS = "kJ8+x/Qm3vR7tY2wLp9sZb4nHc6dFg1aXe5uVi0o";
const PEM_LINES = [
  "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj",
  "MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu",
  "NMoSfm76oqFvAp8Gy0iz5sxjZmSnXyCdPEovGhLa0VzMaQ8s",
];
const PEM = `-----BEGIN PRIVATE KEY-----\n${PEM_LINES.join("\n")}\n-----END PRIVATE KEY-----`;
const MAIL = "Ann.Lee@example.org";
const SECRETS = [KEY, GITHUB, AWS, MAIL, ...PEM_LINES];

/** As whoever looks for a secret may have to read it. */
const WRITTEN: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  "in JSON": (text) => JSON.stringify({ a: { b: [text] } }),
  "in JSON in JSON": (text) => JSON.stringify(JSON.stringify({ a: text })),
  "in an address": (text) => encodeURIComponent(text),
  "in base64": (text) => Buffer.from(text).toString("base64"),
  "in base64 behind something": (text) => Buffer.from(`x${text} and more`).toString("base64"),
  "in base64 of addresses": (text) => Buffer.from(`xy${text}`).toString("base64url"),
  "in hexadecimal digits": (text) => Buffer.from(text).toString("hex"),
  "in UTF-16 in base64": (text) => Buffer.from(text, "utf16le").toString("base64"),
  "in escapes": (text) =>
    [...text].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
  "in entities": (text) => [...text].map((c) => `&#${c.charCodeAt(0)};`).join(""),
};

const said = (content: unknown) => ({ message: { role: "user", content } });
/** Each secret where it is known as one. */
const INTRODUCED = said([`${KEY} ${GITHUB}`, `AWS_SECRET_ACCESS_KEY=${AWS}`, `mail ${MAIL}`, PEM]);

describe("a redaction", () => {
  it.each(Object.keys(WRITTEN))("removes a value that is written %s", async (way) => {
    const write = WRITTEN[way]!;
    const places = SECRETS.flatMap((secret) => [
      said(`before ${write(secret)} behind`),
      said({ [`name ${write(secret)}`]: 1 }),
    ]);
    const { text } = await redacted([...places, INTRODUCED]);
    for (const secret of SECRETS) {
      for (const form of Object.values(WRITTEN)) expect(text).not.toContain(form(secret));
    }
    expect(text).not.toContain("Ann.Lee");
    expect(text.match(/characters\]/g)!.length).toBeGreaterThanOrEqual(places.length);
    expect(text).toContain("before ");
  });

  it("finds a value that is there in a code alone", async () => {
    for (const [way, write] of Object.entries(WRITTEN)) {
      const { review } = await redacted([said(`look: ${write(`this ${MAIL} is ${KEY} ok`)}`)]);
      const rules = review.findings.map(({ rule }) => rule);
      expect(rules, way).toEqual(expect.arrayContaining(["api key", "e-mail address"]));
    }
  });

  it("leaves nothing of a secret, wherever it lies in whatever record", async () => {
    const secret = fc.constantFrom(...SECRETS);
    const form = fc.constantFrom(...Object.values(WRITTEN));
    const planted = fc
      .tuple(fc.string(), secret, form, fc.string())
      .map(([a, s, write, b]) => `${a} ${write(s)} ${b}`);
    const record = fc.object({
      key: fc.oneof(fc.string(), planted),
      values: [planted, fc.string(), fc.double(), fc.boolean()],
      maxDepth: 4,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(record, { maxLength: 6 }), async (records) => {
        const { text, lines } = await redacted([...records, INTRODUCED]);
        for (const each of SECRETS) {
          for (const write of Object.values(WRITTEN)) expect(text).not.toContain(write(each));
        }
        for (const line of lines) JSON.parse(line);
      }),
      { numRuns: 60 },
    );
  });
});

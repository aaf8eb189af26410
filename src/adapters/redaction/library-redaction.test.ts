import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { linesOf, redacted, redactionWith } from "../../../test/support/redacted-records.js";
import { sized } from "../../../test/support/soak.js";
import { UnlookableError } from "../../application/errors.js";

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

const recordOf = (content: unknown) => ({ message: { role: "user", content } });
/** Each secret in a text that identifies it as a secret. */
const INTRODUCED = recordOf([`${KEY} ${GITHUB}`, `AWS_SECRET_ACCESS_KEY=${AWS}`, `mail ${MAIL}`, PEM]);

describe("a redaction", () => {
  it.each(Object.keys(WRITTEN))("removes a value that is written %s", async (way) => {
    const write = WRITTEN[way]!;
    const places = SECRETS.flatMap((secret) => [
      recordOf(`before ${write(secret)} behind`),
      recordOf({ [`name ${write(secret)}`]: 1 }),
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
      const { review } = await redacted([recordOf(`look: ${write(`this ${MAIL} is ${KEY} ok`)}`)]);
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
      { numRuns: sized(15, 40) },
    );
  });

  it("gives a value one stub wherever it is, in ids and names too, and says where it is", async () => {
    const { lines, review } = await redacted([
      {
        session: {
          sessionId: `run-${GITHUB}`,
          title: `use ${GITHUB}`,
          tokens: 12345678901234567890n.toString(),
        },
      },
      { envelope: { sequence: 7, event: { type: "tool.end", [GITHUB]: GITHUB } } },
      recordOf(`again ${GITHUB}`),
    ]);
    const stub = "[GitHub token 1, 40 characters]";
    expect(review.findings).toMatchObject([
      { id: "github-token-1", rule: "GitHub token", value: GITHUB, stub, length: 40, count: 5 },
    ]);
    expect(review.findings[0]!.places.map(({ where }) => where)).toEqual([
      "sessionId",
      "title",
      "tool.end 7",
      "tool.end 7",
      "message 1",
    ]);
    expect(review.findings[0]!.places[4]).toMatchObject({ before: "again ", after: "" });
    expect(JSON.parse(lines[0]!).session).toMatchObject({ sessionId: `run-${stub}`, title: `use ${stub}` });
    expect(JSON.parse(lines[1]!).envelope.event).toEqual({ type: "tool.end", [stub]: stub });
  });

  it("loses no value where two names of an object become one", async () => {
    const { lines } = await redacted([
      recordOf({ [MAIL]: 1, [MAIL.toLowerCase()]: 2, "[e-mail address 1, 19 characters] (2)": 3 }),
    ]);
    expect(Object.values(JSON.parse(lines[0]!).message.content).toSorted()).toEqual([1, 2, 3]);
  });

  it("removes home folders, and who they are of wherever he is named", async () => {
    const { text } = await redacted(
      [
        recordOf(
          "cd /home/annika/work && ls C:\\Users\\Bert\\x /Users/zoë/y \\\\wsl$\\Ubuntu\\home\\carla\\z",
        ),
        recordOf(
          "-Users-annika-work, BERT's and Zoë (ask Carla), annikas, planning in /root, /home/user/x by user",
        ),
        recordOf("dora@laptop-of-dora:~/x$ git log, then Author: Emil Bo <e@example.org>, thanks Emil Bo"),
        { session: { userId: "frieda", title: "Frieda asks on host-7" } },
      ],
      { machine: { hostName: "host-7" } },
    );
    for (const name of ["annika/", "-annika", "bert", "zoë", "carla", "dora", "emil", "frieda", "host-7"]) {
      expect(text.toLowerCase(), name).not.toContain(name);
    }
    for (const word of ["annikas", "planning in /root", "/x by user"]) expect(text).toContain(word);
  });

  it("leaves all else as it was written: large numbers, measures, escapes, names that are there twice", async () => {
    const redaction = redactionWith();
    const line = `{"envelope":{"n":12345678901234567890,"n":1.50e3,"inputTokens":123456,"__proto__":{"a":"\\u00e9\\/\\ud800"},"x":"${KEY}"}}`;
    const review = await redaction.review(linesOf([line]));
    const batches: string[] = [];
    for await (const batch of redaction.remove(linesOf([line]), review, { keep: new Set() }))
      batches.push(...batch);
    expect(batches).toEqual([line.replace(KEY, "[api key 1, 43 characters]")]);
  });

  it("looks into what is nested thousands of levels deep", async () => {
    const redaction = redactionWith();
    const line = `{"message":${'{"a":['.repeat(20_000)}"${KEY}"${"]}".repeat(20_000)}}`;
    const review = await redaction.review(linesOf([line]));
    for await (const [written] of redaction.remove(linesOf([line]), review, { keep: new Set() })) {
      expect(written).toBe(line.replace(KEY, review.findings[0]!.stub));
    }
  });

  it("removes images, and leaves those to keep as they are unless they hold a removed value", async () => {
    const png = (text: string) =>
      Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n\0\0\0", "latin1"), Buffer.from(text)]).toString("base64");
    const [plain, signed] = [png("a picture of somebody"), png(`Author\0${MAIL}\0`)];
    const records = [
      recordOf([{ source: { data: plain } }, `data:image/png;base64,${plain}`, signed, MAIL, GITHUB]),
    ];
    const all = await redacted(records);
    expect(all.review.findings.map(({ id, count }) => [id, count])).toEqual([
      ["image-1", 2],
      ["image-2", 1],
      ["e-mail-address-1", 1],
      ["github-token-1", 1],
    ]);
    expect(all.review.findings[0]!.value).toBe(`data:image/png;base64,${plain}`);
    expect(all.text).toContain(`data:image/png;base64,[image 1, ${plain.length} characters]`);
    const some = await redacted(records, { keep: ["image-1", "image-2", "github-token-1"] });
    expect(JSON.parse(some.lines[0]!).message.content).toEqual([
      { source: { data: plain } },
      `data:image/png;base64,${plain}`,
      `[image 2, ${signed.length} characters]`,
      "[e-mail address 1, 19 characters]",
      GITHUB,
    ]);
    const open = await redacted(records, { keep: ["image-2", "e-mail-address-1"] });
    expect(open.text).toContain(signed);
  });

  it("removes data that nobody can look at, and of data that is kept none that holds a value that is removed", async () => {
    const random = (seed: number) =>
      Buffer.from(
        Array.from({ length: 300 }, (_, i) => (Math.imul(i + seed, 2654435761) >>> 13) & 255),
      ).toString("base64");
    const records = [recordOf([random(1), random(500) + GITHUB, GITHUB])];
    const { text, review } = await redacted(records);
    expect(review.findings.map(({ rule }) => rule)).toContain("data that cannot be looked at");
    expect(text).not.toContain(random(1));
    const keep = review.findings.filter(({ rule }) => rule.startsWith("data")).map(({ id }) => id);
    const retained = await redacted(records, { keep });
    expect(retained.text).toContain(random(1));
    expect(retained.text).not.toContain(GITHUB);
  });

  it("removes the beginning of a value where a text was cut in it", async () => {
    const { text } = await redacted([
      recordOf([
        AWS.slice(0, 20),
        `${AWS.slice(0, 12)}… and more`,
        `${GITHUB.slice(0, 18)}[truncated]`,
        AWS.slice(0, 7),
      ]),
      INTRODUCED,
    ]);
    expect(text).not.toContain(AWS.slice(0, 8));
    expect(text).not.toContain(GITHUB.slice(0, 8));
    expect(text).toContain(`"${AWS.slice(0, 7)}"`);
  });

  it("obeys no comment that would switch it off, and takes no stub in a text for one", async () => {
    const { text } = await redacted([
      recordOf(
        `// secretlint-disable\n${GITHUB} // secretlint-disable-line\n[GitHub token 1, 40 characters]`,
      ),
    ]);
    expect(text).not.toContain(GITHUB);
  });

  it("finds by own rules, in numbers that measure nothing too", async () => {
    const rules = [{ name: "customer id", pattern: "\\b(7[0-9]{6})\\b" }];
    const { text } = await redacted([recordOf({ customer: 7123456, note: "of 7123456", tokens: 7123457 })], {
      rules,
    });
    expect(text).toBe(
      '{"message":{"role":"user","content":{"customer":"[customer id 1, 7 characters]","note":"of [customer id 1, 7 characters]","tokens":7123457}}}',
    );
  });

  it("passes nothing on that was not reviewed", async () => {
    const redaction = redactionWith();
    const review = await redaction.review(linesOf([JSON.stringify(recordOf("hello"))]));
    const removed = async (lines: readonly string[], input = review) => {
      for await (const _ of redaction.remove(linesOf(lines), input, { keep: new Set() }));
    };
    await removed([JSON.stringify(recordOf("hello")), JSON.stringify(recordOf("other words"))]);
    await expect(removed([JSON.stringify(recordOf(`hello ${KEY}`))])).rejects.toThrow(UnlookableError);
    await expect(removed([JSON.stringify(recordOf("hello"))], { findings: [] })).rejects.toThrow(
      UnlookableError,
    );
    for (const line of ['{"message":"no end', `{"message":"a"${GITHUB}"b"}`, ""]) {
      await expect(redaction.review(linesOf([line]))).rejects.toThrow(UnlookableError);
    }
  });

  it("finds a value in a text of millions of characters, where pieces of it meet", async () => {
    const piece = "some words of a log, ";
    const filler = piece.repeat(Math.ceil(131_072 / piece.length)).slice(0, 131_072 - 20);
    const { text } = await redacted([recordOf(`${filler} ${GITHUB} ${filler}${filler} ${KEY}`)]);
    expect(text).not.toContain(GITHUB);
    expect(text).not.toContain(KEY);
  });
});

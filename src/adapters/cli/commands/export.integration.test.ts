import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { homeFolder, run, startWith } from "../../../../test/support/command-line.js";
import type { ExportReview } from "../../../application/export/export-session.js";
import { COMMAND_LINE_PARTS } from "../../../composition/command-line-parts.js";

const SESSION = "abc00000-0000-4000-8000-000000000001";
const OTHER = "abd00000-0000-4000-8000-000000000001";
const SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

const record = (sessionId: string, n: number, type: string, message: object) => ({
  uuid: `00000000-0000-4000-8000-00000000000${n}`,
  parentUuid: n === 1 ? null : `00000000-0000-4000-8000-00000000000${n - 1}`,
  sessionId,
  timestamp: new Date(Date.UTC(2025, 10, 1, 0, 0, n)).toISOString(),
  isSidechain: false,
  cwd: "/shop",
  type,
  message,
});

beforeEach(async () => {
  const project = path.join(await homeFolder(), "projects/-shop");
  await mkdir(project, { recursive: true });
  for (const session of [SESSION, OTHER]) {
    const answer = { type: "text", text: `Done: ${session === SESSION ? SECRET : "nothing to see"}.` };
    const model = "claude-sonnet-4-5-20250929";
    const usage = { input_tokens: 10, output_tokens: 50 };
    const records = [
      record(session, 1, "user", { role: "user", content: "Mend the cart" }),
      record(session, 2, "assistant", { role: "assistant", id: "m1", model, content: [answer], usage }),
    ];
    const text = records.map((one) => `${JSON.stringify(one)}\n`).join("");
    await writeFile(path.join(project, `${session}.jsonl`), text);
  }
});

/** Without the cache for the next start. */
const filesHere = async () => (await readdir(".")).filter((name) => name !== ".cache");

/** Returns the output of `list` and `summary` for the first session, or for the same session in an exported file. */
async function rendered(place: string) {
  const list = await run("list", place, "--json");
  const { sessions } = JSON.parse(list.stdout) as { sessions: object[] };
  return { session: sessions[0], summary: (await run("summary", "abc", place, "--json")).stdout };
}

describe("agent-inspector export", () => {
  it.each([
    ["s.html", "Open it in a browser, or with"],
    ["s.jsonl", "Open it with"],
  ])("writes %s, which shows the same as the history, and says how to open it", async (file, how) => {
    const { stdout, stderr, code } = await run("export", "abc", "projects", "-o", file, "--no-redact");
    expect([stderr, code]).toEqual(["", 0]);
    expect(stdout).toMatch(
      /^Wrote s\.\w+: 1 session, [\d.]+ [kM]B\.\nTexts and images were not checked, and nothing was removed\.\n/,
    );
    expect(stdout).toContain(`${how}: agent-inspector ${file}\n`);
    const before = await rendered(`projects/-shop/${SESSION}.jsonl`);
    expect(await rendered(file)).toEqual(before);
    expect(await filesHere()).toEqual(["projects", file]);
  });

  it("removes what is found, names what it removed, and keeps what is to stay", async () => {
    const findings = await run("export", "abc", "projects", "--findings", "--json");
    expect(findings.code).toBe(1);
    expect(findings.stdout).not.toContain(SECRET);
    const review = JSON.parse(findings.stdout) as ExportReview;
    const token = review.findings.find(({ value }) => value.startsWith("ghp_"))!;
    expect(token).toMatchObject({ value: "ghp_…", length: SECRET.length, count: expect.any(Number) });

    const people = await run("export", "abc", "projects", "--findings");
    expect(people.stdout).toContain(`  ${token.id}  ghp_…  (40 characters, `);
    expect(people.stdout).not.toContain(SECRET);
    const open = await run("export", "abc", "projects", "--findings", "--show-values");
    expect(open.stdout).toContain(SECRET);

    const strict = await run("export", "abc", "projects", "-o", "strict.jsonl", "--redact", "strict");
    expect(strict.stdout).toContain(`Removed: `);
    expect(strict.stdout).toContain(`${token.rule} 1`);
    expect(await readFile("strict.jsonl", "utf8")).not.toContain(SECRET);
    const retained = await run(
      "export",
      "abc",
      "projects",
      "-o",
      "kept.jsonl",
      "--redact",
      "strict",
      "--keep",
      token.id,
    );
    expect([retained.stderr, retained.code]).toEqual(["", 0]);
    expect(await readFile("kept.jsonl", "utf8")).toContain(SECRET);
  });

  it("takes own prices with it, which are those of what is opened, too, unless others are named", async () => {
    const prices = (usd: number) =>
      JSON.stringify({ "claude-sonnet-4-5-20250929": { input: usd, output: usd } });
    await writeFile("own.json", prices(1_000_000));
    await writeFile("other.json", prices(2_000_000));
    await run("export", "abc", "projects", "-o", "own.jsonl", "--no-redact", "--prices", "own.json");
    const usd = async (...args: string[]) => {
      const { stdout } = await run("list", "own.jsonl", "--json", ...args);
      const { sessions } = JSON.parse(stdout) as { sessions: { cost?: { usd: number } }[] };
      return sessions[0]?.cost?.usd;
    };
    expect(await usd()).toBe(60);
    expect(await usd("--prices", "other.json")).toBe(120);
    const { stdout, stderr } = await run("list", "own.jsonl", "projects", "--json");
    expect(stderr).toBe(
      "own.jsonl contains its own prices. They are not used together with other histories.\n",
    );
    expect(stdout).not.toContain('"usd":60');
  });

  it("looks for what own rules find, too", async () => {
    await writeFile("rules.json", JSON.stringify({ rules: [{ name: "shop word", pattern: "the (cart)" }] }));
    const { stdout, code } = await run("export", "abd", "projects", "--findings", "--rules", "rules.json");
    expect(stdout).toContain("shop word: 1 value\n  shop-word-1  c…  (4 characters, ");
    expect(code).toBe(1);
  });

  it("writes several sessions, to a program, too, and says what it did where nobody else reads", async () => {
    const { stdout, stderr, code } = await run(
      "export",
      "abc",
      "abd",
      "projects",
      "-o",
      "-",
      "--no-redact",
      "--format",
      "jsonl",
    );
    const lines = stdout.trimEnd().split("\n");
    expect(
      lines.map((line) => Object.keys(JSON.parse(line) as object)[0]).filter((name) => name === "session"),
    ).toHaveLength(2);
    expect(JSON.parse(lines.at(-1)!)).toEqual({ end: { sessions: 2, records: lines.length - 2 } });
    expect(stderr).toMatch(/^Wrote 2 sessions, [\d.]+ kB\.\n/);
    expect(code).toBe(0);
  });

  it.each<[args: readonly string[], problem: string]>([
    [["abc", "projects", "-o", "s.html"], "Select how to treat secrets and personal data: --redact strict"],
    [["abc", "projects", "--no-redact"], "Name the file to write with -o FILE"],
    [["abc", "projects", "-o", "s.json", "--no-redact"], "Say which: --format atif or --format otlp."],
    [["abc", "projects", "-o", "s.html", "--no-redact", "--keep", "a-1"], "--keep goes with --redact strict"],
    [
      ["abc", "projects", "-o", "there.html", "--no-redact"],
      '"there.html" is there already. To replace it, add --force.',
    ],
    [["abc", "projects", "-o", "projects", "--no-redact", "--force"], '"projects" is no file.'],
    [["abc", "projects", "-o", "no/s.html", "--no-redact"], '"no/s.html" cannot be written (ENOENT).'],
    [
      ["abc", "projects", "-o", "s.jsonl", "--redact", "strict", "--keep", "a-1"],
      "--keep names a finding that there is not.",
    ],
    [["abc", "projects", "--findings", "--rules", "there.html"], 'The rules in "there.html" are no JSON'],
    [["abc", "projects", "--findings", "--rules", "wrong.json"], "not valid RE2"],
    [["ab", "projects", "-o", "s.html", "--no-redact"], '"ab" may be any of 2 sessions'],
    [["abc", "projects", "--redact", "some"], "Allowed choices are strict."],
  ])("refuses %j, and leaves nothing behind", async (args, problem) => {
    await writeFile("there.html", "kept");
    await writeFile("wrong.json", '{"rules":[{"name":"mine","pattern":"("}]}');
    const before = await filesHere();
    const { stderr, stdout, code } = await run("export", ...args);
    expect([stderr, stdout, code]).toEqual([expect.stringContaining(problem), "", 2]);
    expect(await filesHere()).toEqual(before);
    expect(await readFile("there.html", "utf8")).toBe("kept");
  });

  it("replaces a file that is there where that is said", async () => {
    await writeFile("there.jsonl", "old");
    await run("export", "abc", "projects", "-o", "there.jsonl", "--no-redact", "--force");
    expect(await readFile("there.jsonl", "utf8")).toContain('"format":"agent-inspector"');
  });

  it("leaves nothing behind where it is stopped, or fails", async () => {
    const before = await filesHere();
    const failing =
      (bytes: () => AsyncIterable<Uint8Array>): typeof COMMAND_LINE_PARTS.useCases =>
      async (...args) => {
        const useCases = await COMMAND_LINE_PARTS.useCases(...args);
        const execute = async () => ({ fileName: "", mediaType: "", removed: {}, bytes: bytes() });
        return Object.assign(Object.create(useCases), { exportSession: { execute } });
      };
    const args = ["export", "abc", "projects", "-o", "s.jsonl", "--no-redact"];
    const broken = startWith(
      {
        useCases: failing(async function* () {
          yield Buffer.from("half");
          throw new Error("broken");
        }),
      },
      ...args,
    );
    await expect(broken.ended).rejects.toThrow("broken");
    const stopped = startWith(
      {
        useCases: failing(async function* () {
          yield Buffer.from("half");
          stopped.stop("SIGINT");
          yield Buffer.from("more");
        }),
      },
      ...args,
    );
    expect(await stopped.ended).toBe("SIGINT");
    expect(await filesHere()).toEqual(before);
  });
});

import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { envelopeText, NOON } from "../../../../test/contract/fixture.js";
import { homeFolder, run, runInTerminal } from "../../../../test/support/command-line.js";
import { writeSessions } from "../../../../test/support/data-directory.js";
import { sized } from "../../../../test/support/soak.js";
import { sessionAddress } from "../../../../ui/src/model/address/address.js";
import { idProblem } from "../../../domain/session/ids.js";
import type { InspectorSessionItem } from "../../../domain/session/session.js";
import { cutName, sessionName } from "./session-names.js";

let home: string;
beforeEach(async () => {
  home = await homeFolder();
});

interface Named {
  readonly tenantId: string;
  readonly sessionId: string;
}

/** Sessions in `data`, each with its number in its title. The first one wrote `cart.ts`. */
async function writeNamed(names: readonly Named[], folder = "data"): Promise<void> {
  await writeSessions(
    folder,
    names.map((name, i) => {
      const input = { file_path: `/home/ada/shop/${i === 0 ? "cart" : i}.ts`, content: lineOf(i) };
      const events = [
        { type: "llm.start", callId: "c1", model: "m" },
        { type: "llm.end", callId: "c1" },
        { type: "tool.start", toolCallId: "w1", toolName: "Write", input },
        { type: "tool.end", toolCallId: "w1", output: "needle" },
      ];
      const envelopes = events.map((event, sequence) => envelopeText(sequence, event, name));
      const messages = [JSON.stringify({ role: "user", content: `needle ${i}` })];
      return { ...name, userId: "ada", title: titleOf(i), createdAt: NOON, envelopes, messages };
    }),
  );
}

const titleOf = (i: number) => `Title of ${i}.`;
const lineOf = (i: number) => `export const total${i} = 86400;\n`;

/** Each command that takes the name of a session. */
const TAKING = {
  summary: (name: string, paths: readonly string[]) => run("summary", name, ...paths),
  compare: (name: string, paths: readonly string[]) => run("compare", name, name, ...paths),
  search: (name: string, paths: readonly string[]) => run("search", "needle", ...paths, "--session", name),
  export: (name: string, paths: readonly string[]) =>
    run("export", name, ...paths, "-o", "-", "--format", "markdown", "--no-redact"),
};

/** Commands take the name for that of the session with this number. */
async function expectAccepted(
  name: string,
  i: number,
  paths: readonly string[],
  commands = Object.keys(TAKING) as (keyof typeof TAKING)[],
): Promise<void> {
  for (const command of commands) {
    const { code, stdout, stderr } = await TAKING[command](name, paths);
    const printed = command === "search" ? `»needle« ${i}` : titleOf(i);
    const problem = stderr.startsWith("error:") ? stderr : "";
    expect([command, name, code, problem]).toEqual([command, name, 0, ""]);
    expect([command, name, stdout]).toEqual([command, name, expect.stringContaining(printed)]);
  }
}

/** The name in the row of `list` for the session of that number. */
function nameInList(list: string, i: number): string {
  const row = list
    .split("\n")
    .find((line) => line.includes(titleOf(i).slice(0, 10)) && line.includes(`${i}.`));
  return row!.slice(0, row!.lastIndexOf("Title of")).trimEnd().split(/ {2,}/).at(-1)!;
}

/** Characters with a special meaning for a shell, a terminal, a table or a parser of options. */
const HOSTILE = fc.constantFrom(
  ...[
    "-",
    "--",
    "-o",
    "-h",
    "--help",
    "--json=1",
    "=",
    "…",
    "list",
    "export",
    "help",
    "data",
    "cart.ts",
    "a",
  ],
  ...[
    " ",
    "  ",
    "\u00a0",
    "\u3000",
    '"',
    "'",
    "`",
    "$(x)",
    "*",
    "?",
    "#",
    "%2F",
    "%",
    ":",
    "~",
    ".",
    "&",
    "|",
    ";",
  ],
  ...[
    "é",
    "e\u0301",
    "日本",
    "👩\u200d👩\u200d👧",
    "\u202e",
    "\u200b",
    "\u009b2J",
    "\u2028",
    "\ufeff",
    "\u{10ffff}",
  ],
);
const ID = fc
  .array(HOSTILE, { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join(""))
  .filter((id) => idProblem(id) === undefined);
const NAME = fc.record({ tenantId: ID, sessionId: ID });
const nameKey = ({ tenantId, sessionId }: Named) => `${tenantId}/${sessionId}`.normalize("NFC");
const NAMES = fc.uniqueArray(NAME, { minLength: 4, maxLength: 4, selector: nameKey });

describe("the name of a session, as a command prints it,", () => {
  it("is accepted by every other command, whatever is in it", async () => {
    await mkdir("shop");
    await writeFile("shop/cart.ts", lineOf(0));
    let folders = 0;
    await fc.assert(
      fc.asyncProperty(NAMES, async (names) => {
        const folder = `./histories/${folders++}`;
        await writeNamed(names, folder);
        const { stdout } = await run("list", folder);
        for (const [i, name] of names.entries()) {
          const printed = nameInList(stdout, i);
          expect(printed).toBe(sessionName(name));
          await expectAccepted(printed, i, [folder]);
        }
        const [first, second] = names.map(sessionName) as [string, string];
        const others = [
          await run("search", "needle", folder),
          await run("compare", first, second, folder),
          await run("why", "shop/cart.ts:1", folder),
          await run("summary", first, folder),
        ];
        for (const { stdout: text } of others) expect(text).toContain(first);
      }),
      { numRuns: sized(1, 60) },
    );
  });

  it.each([
    ["the folder of a project", "-srv-shop-cc-c1", "0bf6e6a4-3c2d-4a0e-9e0b-000000000001"],
    ["a folder whose first letter is a short option", "-opt-shop", "0bf6"],
    ["a folder that is called like a short option", "-o", "0bf6"],
    ["a folder whose first letter is that of help", "-home-ada-shop", "0bf6"],
    ["two dashes", "--srv", "s"],
    ["an option", "--help", "--json"],
    ["an option with a value", "--output=a.html", "s"],
    ["a command", "list", "export"],
    ["a file and a folder", "cart.ts", "data"],
    ["spaces at the ends", " a ", " b  c "],
    ["quotes", "it's", '"quoted"'],
  ])("is accepted where it looks like %s", async (_, tenantId, sessionId) => {
    await writeFile("cart.ts", "");
    await writeNamed([{ tenantId, sessionId }]);
    await expectAccepted(nameInList((await run("list")).stdout, 0), 0, []);
    const raw = `${tenantId}/${sessionId}`;
    if (!raw.startsWith("-o/") && !/^--.*=/.test(raw)) await expectAccepted(raw, 0, ["data"], ["export"]);
    expect((await run("list", "data", "--tenant", tenantId)).code).toBe(0);
  });

  it("is accepted as a row of usage prints its tenant or its project", async () => {
    await writeNamed([{ tenantId: "-srv\u202eshop", sessionId: "s1" }]);
    for (const by of ["tenant", "project"]) {
      const { stdout } = await run("usage", "data", "--by", by, "--until", "2026-02-01");
      const [, row = ""] = stdout.split("\n");
      expect((await run("list", "data", "--tenant", row.split(/ {2,}/)[0]!)).code).toBe(0);
    }
    const record = {
      ...{ type: "user", uuid: "u1", sessionId: "s1", isSidechain: false, cwd: "/srv/two words" },
      ...{ timestamp: "2026-01-15T12:00:00.000Z", message: { role: "user", content: "Hi." } },
    };
    await mkdir(".claude/projects/-srv-two-words", { recursive: true });
    await writeFile(".claude/projects/-srv-two-words/s1.jsonl", `${JSON.stringify(record)}\n`);
    for (const command of [["list"], ["usage"], ["search", "Hi"]]) {
      const { code, stdout, stderr } = await run(...command, "--tenant", "/srv/two words");
      expect([command, code, stderr]).toEqual([command, 0, expect.not.stringContaining("of 2")]);
      expect(stdout).not.toContain("Title of");
    }
  });

  it("is accepted when it was shortened for a narrow terminal", async () => {
    const tenantId = "-srv-shop-cart-service";
    const ids = [
      "0bf6e6a4-3c2d-4a0e-9e0b-000000000001",
      "0bf6e6a4-3c2d-4a0e-9e0b-000000000002",
      "日本語".repeat(9),
    ];
    await writeNamed(ids.map((sessionId) => ({ tenantId, sessionId })));
    for (const columns of [40, 60, 80]) {
      const { stdout } = await runInTerminal(columns, "list", "data");
      for (const i of ids.keys()) {
        const name = nameInList(stdout, i);
        expect(name).toContain("…");
        await expectAccepted(name, i, ["data"], ["export"]);
      }
    }
    await expectAccepted("-srv-shop.../...0001", 0, ["data"], ["summary"]);
  });

  it("is accepted in every address of the page, of this server or another", async () => {
    const name = { tenantId: "-srv shop?#", sessionId: "a%2F日本" };
    await writeNamed([name]);
    const address = sessionAddress(name, "trace", { event: "e 1", errors: "1" });
    for (const base of [
      "",
      "http://127.0.0.1:4680/",
      "https://shop.example/__inspector/ui/",
      "file:///home/a.html",
    ])
      await expectAccepted(`${base}${address}`, 0, ["data"], ["summary", "search"]);
  });

  it("is accepted with the key of a source, and without, whether one or several sources are read", async () => {
    await writeNamed([{ tenantId: "acme", sessionId: "s1" }]);
    await writeNamed([{ tenantId: "acme", sessionId: "s2" }], "other");
    const { stdout } = await run("list", "data", "other");
    const name = nameInList(stdout, 0);
    expect(name).toMatch(/^data-\w+:acme\/s\d$/);
    await expectAccepted("data-0000:acme/s1", 0, ["data"], ["summary"]);
    await expectAccepted("acme/s1", 0, ["data", "other"], ["summary"]);
  });

  it("is one of a session, where a folder of the same name does not open as histories", async () => {
    await writeNamed([
      { tenantId: "acme", sessionId: "s1" },
      { tenantId: "acme", sessionId: "s2" },
    ]);
    await mkdir("acme/s2", { recursive: true });
    const exported = await run("export", "acme/s1", "acme/s2", "./data", "-o", "both.jsonl", "--no-redact");
    expect([exported.code, exported.stdout]).toEqual([0, expect.stringContaining("2 sessions")]);
    await mkdir("empty");
    const refused = await run("export", "acme/s1", "empty", "-o", "x.jsonl", "--no-redact");
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('"empty" is no data directory'),
    ]);
    const missing = await run("export", "acme/s1", "./nowhere", "-o", "x.jsonl", "--no-redact");
    expect(missing.stderr).toBe('error: There is no file or folder "./nowhere".\n');
  });
});

describe("the name of a session that does not exist", () => {
  it.each([
    ["summary", ["summary", "nobody", "data"]],
    ["compare", ["compare", "acme/s1", "nobody", "data"]],
    ["export", ["export", "nobody", "data", "-o", "a.jsonl", "--no-redact"]],
    ["search", ["search", "needle", "data", "--session", "nobody"]],
    ["search in a tenant", ["search", "needle", "data", "--session", "s1", "--tenant", "globex"]],
  ])("ends %s with 1", async (_, args) => {
    await writeNamed([{ tenantId: "acme", sessionId: "s1" }]);
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(
      /^error: There is no session "\w+"\. "agent-inspector list" prints the sessions\.\n$/,
    );
  });

  it("is none of an option: a misspelt one is refused, and its value not printed", async () => {
    await writeNamed([{ tenantId: "acme", sessionId: "s1" }]);
    for (const option of ["--jsno", "-x", "--databse-url=postgres://u:hunter2@h/d"]) {
      const { code, stdout, stderr } = await run("summary", option, "acme/s1", "data");
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(/^error: unknown option '-/);
      expect(stderr).not.toContain("hunter2");
    }
    expect((await run("summary", "--", "--jsno", "data")).code).toBe(1);
  });

  it("does not stop -o from taking a value that follows it without a space", async () => {
    await writeNamed([{ tenantId: "acme", sessionId: "s1" }]);
    for (const file of ["./a.jsonl", "b.jsonl", path.join(home, "c.jsonl")])
      expect((await run("export", "acme/s1", "./data", `-o${file}`, "--no-redact")).code).toBe(0);
  });
});

describe("a name in a narrow column", () => {
  it("retains the beginning and the end of both its parts", () => {
    const item = { tenantId: "-srv-shop-cart", sessionId: "0bf6e6a4-0001" } as InspectorSessionItem;
    const name = sessionName(item);
    expect(cutName(name, 20)).toBe("-srv-…cart/0bf6…0001");
    expect(cutName(name, 26)).toBe("-srv-s…p-cart/0bf6e6…-0001");
    expect(cutName(name, 100)).toBe(name);
  });
});

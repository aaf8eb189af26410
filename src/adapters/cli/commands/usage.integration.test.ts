import path from "node:path";
import { describe, expect, it } from "vitest";
import { smallSession } from "../../../../test/mcp/support/histories.js";
import { homeFolder, run } from "../../../../test/support/command-line.js";
import { writeSessions } from "../../../../test/support/data-directory.js";
import { schemaNamed } from "../../../../test/support/openapi.js";

const DAY = "2026-01-15";

/** Two sessions of a tenant, of a user each. */
async function writeHistories(): Promise<void> {
  const folder = await homeFolder();
  await writeSessions(path.join(folder, "data"), [smallSession("acme", "s1"), smallSession("globex", "s2")]);
}

describe("agent-inspector usage", () => {
  it("prints a table by day, with a total", async () => {
    await writeHistories();
    const { stdout, stderr, code } = await run("usage", "--zone", "UTC");
    const [header, day, total] = stdout.split("\n");
    expect(header).toMatch(/^DAY +SESSIONS +CALLS +INPUT +OUTPUT +CACHE READ +CACHE WRITE +COST +FAILED$/);
    expect(day).toMatch(/^2026-01-15 +2 +4 +400 +80 +0 +0 +\S+ +2$/);
    expect(total).toMatch(/^TOTAL +2 +4 +400 +80 +0 +0 +\S+ +2$/);
    expect(stdout).toContain("2 sessions until ");
    expect([stderr, code]).toEqual(["", 0]);
  });

  it("prints the API's answer for scripts: of a range, of what a filter means, by what is asked for", async () => {
    await writeHistories();
    const options = [
      "--since",
      DAY,
      "--until",
      "2026-01-16",
      "--filter",
      "tenant:acme",
      "--zone",
      "UTC",
      "--json",
    ];
    const { stdout, code } = await run("usage", "data", "--by", "tool", ...options);
    const overview: unknown = JSON.parse(stdout);
    expect([schemaNamed("Overview")(overview), code]).toEqual([true, 0]);
    expect(overview).toMatchObject({
      range: { from: `${DAY}T00:00:00.000Z`, to: "2026-01-16T00:00:00.000Z", by: "tool", zone: "UTC" },
      total: { sessions: 1, modelCalls: 2 },
      tools: [{ name: "read_file", calls: 1, failures: 1 }],
    });
  });

  it("ends with 1 where no session did anything", async () => {
    await writeHistories();
    const { stdout, code } = await run("usage", "--until", DAY, "--zone", "UTC");
    expect([stdout, code]).toEqual(["No session did anything until 2026-01-15 00:00 (UTC).\n", 1]);
  });

  it.each([
    [["--since", "soon"], /^error: --since .*\n$/],
    [["--zone", "Mars/Phobos"], /^error: There is no time zone "Mars\/Phobos"\. .*\n$/],
    [["--by", "dy"], /^error: option '--by <grouping>' argument 'dy' is invalid\. Allowed choices are day, /],
    [["nowhere"], /^error: /],
  ])("ends with 2 for %j, and says what is wrong with it", async (options, message) => {
    await writeHistories();
    const { stdout, stderr, code } = await run("usage", ...options);
    expect([stdout, stderr, code]).toEqual(["", expect.stringMatching(message), 2]);
  });
});

describe("a filter that is none", () => {
  it.each([
    ["list", []],
    ["usage", []],
    ["search", ["apples"]],
  ] as const)("ends %s with its place, the nearest name and exit code 2", async (command, query) => {
    await homeFolder();
    const { stdout, stderr, code } = await run(command, ...query, "--filter", "cost:>1 tol:search");
    expect([stdout, stderr, code]).toEqual([
      "",
      'error: --filter: There is no field "tol". Is it "tool"?\n  cost:>1 tol:search\n          ^^^\n',
      2,
    ]);
  });

  it("is shown around what is wrong, and without what a terminal would take for more", async () => {
    await homeFolder();
    const { stderr } = await run(
      "list",
      "--filter",
      `${"words ".repeat(50)}\u001b[2Jx\u202e status:idel ${"b".repeat(300)}`,
    );
    const [, text = "", marks = ""] = stderr.split("\n");
    expect(text.slice(marks.indexOf("^"), marks.lastIndexOf("^") + 1)).toBe("idel");
    expect(text).toContain("\\u{1b}[2Jx\\u{202e}");
    expect(text.length).toBeLessThan(200);
  });
});

import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { placesOf } from "../../src/adapters/cli/opening/place-sources.js";
import { HISTORY_FORMATS } from "../../src/adapters/formats/registry.js";
import { supportedSources } from "../../src/composition/command-line-parts.js";
import { projectsFolders } from "../claude-code/support/real-histories.js";
import { kindOfShared, SHARED_DATA } from "../support/shared-data.js";
import { describeShared } from "../support/shared-suites.js";
import { sized } from "../support/soak.js";

function* allBelow(folder: string, within = ""): Generator<string> {
  for (const entry of readdirSync(path.join(folder, within), { withFileTypes: true })) {
    const name = path.posix.join(within, entry.name);
    yield name;
    if (entry.isDirectory()) yield* allBelow(folder, name);
  }
}

const KNOWN = supportedSources();
/** Without OpenClaw: its shared sessions lack the list that distinguishes them from those of Pi. */
const NAMES = [...HISTORY_FORMATS.map(({ name }) => name), "data", "otlp"].filter(
  (name) => name !== "openclaw",
);

describeShared("Real histories", () => {
  it("are recognised as those of their tool, by no other format, whichever folder or file of them is named", async () => {
    const others: string[] = [];
    const recognised = new Set<string>();
    const all = [...allBelow(SHARED_DATA)];
    const named = all.filter((name) => name.split("/").length <= sized(3, Number.POSITIVE_INFINITY));
    for (const name of named) {
      const expected = kindOfShared(name);
      if (expected === undefined) continue;
      const place = path.join(SHARED_DATA, name);
      const kinds: string[] = [];
      for (const kind of KNOWN) if (await kind.recognises(place)) kinds.push(kind.name);
      for (const kind of kinds) recognised.add(kind);
      if (kinds.some((kind) => kind !== expected)) others.push(`${name}: ${kinds.join(", ")}`);
    }
    expect(others).toEqual([]);
    expect([...recognised].sort()).toEqual(NAMES.toSorted());
  });

  it("are opened together where the folder is named that they all lie in", async () => {
    const { histories: found, leftOut } = await placesOf(SHARED_DATA, KNOWN);
    expect(leftOut).toEqual([]);
    const wrong = found.filter(
      ({ kind, folder }) => (kindOfShared(path.relative(SHARED_DATA, folder)) ?? kind.name) !== kind.name,
    );
    expect(wrong).toEqual([]);
    const kinds = new Set(found.map(({ kind }) => kind.name));
    expect([...kinds]).toEqual(
      expect.arrayContaining(["data", "claude-code", "codex", "gemini-cli", "otlp"]),
    );
    const projects = found.filter(({ kind }) => kind.name === "claude-code").map(({ folder }) => folder);
    expect(projects).toEqual(expect.arrayContaining(projectsFolders().map(([, folder]) => folder)));
  });

  it("are opened as their part where a month or a project of them is named", async () => {
    const opened = async (name: string) => (await placesOf(path.join(SHARED_DATA, name), KNOWN)).histories;
    for (const [, folder] of projectsFolders()) {
      const [project] = readdirSync(folder);
      expect(await opened(path.relative(SHARED_DATA, path.join(folder, project!)))).toEqual([
        {
          kind: expect.objectContaining({ name: "claude-code" }),
          folder,
          part: { folder: path.join(folder, project!), tenantId: project },
        },
      ]);
    }
    const [project] = readdirSync(path.join(SHARED_DATA, "gemini-cli/session-bridge/tmp"));
    for (const [kind, name] of [
      ["codex", "codex/cyspbot/sessions"],
      ["codex", "codex/session-bridge/sessions/2026/04"],
      ["gemini-cli", `gemini-cli/session-bridge/tmp/${project}`],
      ["gemini-cli", `gemini-cli/session-bridge/tmp/${project}/chats`],
      ["otlp", "otlp/assay/run_arm_b.json"],
    ] as const) {
      expect(await opened(name)).toEqual([
        { kind: expect.objectContaining({ name: kind }), folder: path.join(SHARED_DATA, name) },
      ]);
    }
  });
});

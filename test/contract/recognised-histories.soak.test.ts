import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { placesOf } from "../../src/adapters/cli/named-places.js";
import { HISTORY_FORMATS } from "../../src/adapters/formats/registry.js";
import { knownSources } from "../../src/composition/command-line-parts.js";
import { HAS_HISTORIES, projectsFolders, WITHOUT_HISTORIES } from "../claude-code/support/real-histories.js";
import { sized } from "../support/soak.js";

/** The folder of all real histories: in it one for each tool, in that one for each place that they are from. */
const DATA = HAS_HISTORIES ? path.resolve(projectsFolders()[0]![1], "../../..") : "";

/** What histories in a folder are, where that is not called after their format. */
const KINDS: Readonly<Record<string, string>> = {
  agentrail: "data",
  "synthetic/cc-hostile": "claude-code",
  "synthetic/cc-syn": "claude-code",
  "synthetic/cx-abort": "codex",
  "synthetic/cx-syn": "codex",
  "synthetic/gm-rew": "gemini-cli",
  "synthetic/gm-syn": "gemini-cli",
  // Both write Pi's sessions.
  openclaw: "pi",
};

function kindOf(name: string): string {
  const [tool = "", from = ""] = name.split("/");
  return KINDS[`${tool}/${from}`] ?? KINDS[tool] ?? tool;
}

/** Every folder below one, and every file, from it on. */
function* allBelow(folder: string, within = ""): Generator<string> {
  for (const entry of readdirSync(path.join(folder, within), { withFileTypes: true })) {
    const name = path.posix.join(within, entry.name);
    yield name;
    if (entry.isDirectory()) yield* allBelow(folder, name);
  }
}

const isFolder = (name: string) => statSync(path.join(DATA, name)).isDirectory();

const KNOWN = knownSources();
const NAMES = [...HISTORY_FORMATS.map(({ name }) => name), "data", "otlp"];

describe.skipIf(!HAS_HISTORIES)(`Real histories${WITHOUT_HISTORIES}`, () => {
  it("are recognised as those of their tool, by no other format, whichever folder or file of them is named", async () => {
    const others: string[] = [];
    const recognised = new Set<string>();
    const all = [...allBelow(DATA)];
    // The folders of one place each, and in a soak whatever is in them.
    const named = all.filter((name) => name.split("/").length <= sized(3, Number.POSITIVE_INFINITY));
    for (const name of named) {
      const place = path.join(DATA, name);
      const kinds: string[] = [];
      for (const kind of KNOWN) if (await kind.recognises(place)) kinds.push(kind.name);
      for (const kind of kinds) recognised.add(kind);
      if (kinds.some((kind) => kind !== kindOf(name))) others.push(`${name}: ${kinds.join(", ")}`);
    }
    expect(others).toEqual([]);
    const there = NAMES.filter((name) => [...allTools()].some((tool) => kindOf(tool) === name));
    expect([...recognised].sort()).toEqual(there.sort());
  });

  it("are opened together where the folder is named that they all lie in", async () => {
    const { found, leftOut } = await placesOf(DATA, KNOWN);
    expect(leftOut).toEqual([]);
    const wrong = found.filter(({ kind, folder }) => kind.name !== kindOf(path.relative(DATA, folder)));
    expect(wrong).toEqual([]);
    const kinds = new Set(found.map(({ kind }) => kind.name));
    expect([...kinds]).toEqual(
      expect.arrayContaining(["data", "claude-code", "codex", "gemini-cli", "otlp"]),
    );
    const projects = found.filter(({ kind }) => kind.name === "claude-code").map(({ folder }) => folder);
    expect(projects).toEqual(expect.arrayContaining(projectsFolders().map(([, folder]) => folder)));
  });

  it("are opened as their part where a month or a project of them is named", async () => {
    const opened = async (name: string) => (await placesOf(path.join(DATA, name), KNOWN)).found;
    for (const [, folder] of projectsFolders()) {
      const [project] = readdirSync(folder);
      expect(await opened(path.relative(DATA, path.join(folder, project!)))).toEqual([
        {
          kind: expect.objectContaining({ name: "claude-code" }),
          folder,
          part: { folder: path.join(folder, project!), tenantId: project },
        },
      ]);
    }
    const [project] = readdirSync(path.join(DATA, "gemini-cli/session-bridge/tmp"));
    for (const [kind, name] of [
      ["codex", "codex/cyspbot/sessions"],
      ["codex", "codex/session-bridge/sessions/2026/04"],
      ["gemini-cli", `gemini-cli/session-bridge/tmp/${project}`],
      ["gemini-cli", `gemini-cli/session-bridge/tmp/${project}/chats`],
      ["otlp", "otlp/assay/run_arm_b.json"],
    ] as const) {
      expect(await opened(name)).toEqual([
        { kind: expect.objectContaining({ name: kind }), folder: path.join(DATA, name) },
      ]);
    }
  });
});

/** The folders of one place each. */
function* allTools(): Generator<string> {
  for (const name of allBelow(DATA)) if (name.split("/").length === 2 && isFolder(name)) yield name;
}

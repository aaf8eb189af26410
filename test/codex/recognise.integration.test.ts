import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { claudeCodeFormat } from "../../src/adapters/formats/claude-code/claude-code-format.js";
import { codexFormat } from "../../src/adapters/formats/codex/codex-format.js";
import { runInSlices } from "../../src/application/threads/slices.js";
import { lines, meta, newHome, openHome, packed, prompted, rolloutOf } from "./support/homes.js";
import { DATA, HAS_HOMES, realHomes, WITHOUT_HOMES } from "./support/real-homes.js";

const recognises = (folder: string) => runInSlices(codexFormat.folder.recognises(folder));

const ROLLOUT = lines([meta("one"), ...prompted("Hello")]);

describe("recognising a home of Codex", () => {
  it.each(["", "sessions", "sessions/2026", "sessions/2026/07", "sessions/2026/07/01"])(
    "finds rollouts from %j on, and their sessions",
    async (folder) => {
      const home = path.join(await newHome({ [rolloutOf("one")]: ROLLOUT }), folder);
      expect(await recognises(home)).toBe(true);
      expect(await openHome(home).listSessions()).toMatchObject([{ sessionId: "one" }]);
    },
  );

  it("finds archived and packed ones", async () => {
    expect(await recognises(await newHome({ "archived_sessions/rollout-x.jsonl": ROLLOUT }))).toBe(true);
    expect(await recognises(await newHome({ [`${rolloutOf("one")}.zst`]: packed(ROLLOUT) }))).toBe(true);
  });

  it("goes by what is in files, not by names", async () => {
    expect(await recognises(await newHome())).toBe(false);
    expect(await recognises(path.join(await newHome(), "gone"))).toBe(false);
    expect(await recognises(await newHome({ [rolloutOf("one")]: '{"type":"user","uuid":"1"}\n' }))).toBe(
      false,
    );
    expect(await recognises(await newHome({ [rolloutOf("one")]: "no JSON\n" }))).toBe(false);
    expect(await recognises(await newHome({ "sessions/2026/07/01/other.jsonl": ROLLOUT }))).toBe(false);
  });

  it.skipIf(!HAS_HOMES)(`tells tools apart${WITHOUT_HOMES}`, async () => {
    const found: string[] = [];
    for (const tool of readdirSync(DATA, { withFileTypes: true }).filter((one) => one.isDirectory())) {
      for (const name of readdirSync(path.join(DATA, tool.name)).filter((one) => !one.startsWith("cx-"))) {
        const folder = path.join(DATA, tool.name, name);
        for (const below of [folder, path.join(folder, "projects"), path.join(folder, "sessions")])
          if (await recognises(below))
            found.push(`${tool.name}/${path.relative(path.join(DATA, tool.name), below)}`);
      }
    }
    const expected = realHomes().flatMap(({ name }) =>
      name === "codexbar-fork" ? [`codex/${name}`] : [`codex/${name}`, `codex/${name}/sessions`],
    );
    expect(found.sort()).toEqual(expected.sort());
    for (const { folder } of realHomes()) {
      expect(await runInSlices(claudeCodeFormat.folder.recognises(folder))).toBe(false);
      expect(await runInSlices(claudeCodeFormat.folder.recognises(path.join(folder, "sessions")))).toBe(
        false,
      );
    }
  });
});

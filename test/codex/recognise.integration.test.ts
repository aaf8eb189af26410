import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { claudeCodeFormat } from "../../src/adapters/formats/claude-code/claude-code-format.js";
import { codexFormat } from "../../src/adapters/formats/codex/codex-format.js";
import { runInSlices } from "../../src/application/threads/slices.js";
import { placesOfOthers } from "../support/history-places.js";
import { lines, meta, newHome, openHome, packed, prompted, rolloutOf } from "./support/homes.js";
import { allHomes } from "./support/real-homes.js";

const recognises = (folder: string) => runInSlices(codexFormat.folder.recognises(folder));

const HOMES = allHomes();
const OTHERS = placesOfOthers("codex");

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

  it("recognises no folder of another tool", async () => {
    for (const { name, folder } of HOMES) {
      const below = path.join(folder, "sessions");
      const recognised = [await recognises(folder), await recognises(below)];
      // One of the homes has its rollouts beside each other.
      expect([name, ...recognised]).toEqual([name, true, existsSync(below)]);
      for (const place of [folder, below])
        expect(await runInSlices(claudeCodeFormat.folder.recognises(place))).toBe(false);
    }
    expect(OTHERS.length).toBeGreaterThan(20);
    for (const { place, folder } of OTHERS) expect([place, await recognises(folder)]).toEqual([place, false]);
  });
});

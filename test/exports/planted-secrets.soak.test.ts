import { expect, it } from "vitest";
import { archiveOf } from "../support/archive.js";
import { HAS_SHARED_DATA, WITHOUT_SHARED_DATA } from "../support/shared-data.js";
import { allHistories } from "../support/shared-histories.js";
import { tryAllFormats } from "./support/try-all-formats.js";

/** For kinds with many shared folders, the only one to read. */
const ONLY: Readonly<Record<string, string>> = {
  "claude-code": "claude-code, agentcmd",
  codex: "codex, code-butler",
  "gemini-cli": "",
  otlp: "",
  data: "",
};

/** The invented ones are too small for this number of secrets. */
const HISTORIES = allHistories().filter(
  ({ kind, name }) => !name.endsWith(", invented") && (ONLY[kind] ?? name) === name,
);

it.skipIf(!HAS_SHARED_DATA)(
  `none of 300 secrets is in a file of any format, in histories of every tool${WITHOUT_SHARED_DATA}`,
  { timeout: 1_800_000 },
  async () => {
    for (const [seed, { name, open }] of HISTORIES.entries()) {
      const lines = await archiveOf(await open());
      // One session: some formats hold no more.
      const second = lines.findIndex((line, i) => i > 1 && line.startsWith('{"session":'));
      const end = second === -1 ? lines.length - 1 : second;
      if (end < 4) continue;
      const one = [...lines.slice(0, end), JSON.stringify({ end: { sessions: 1, records: end - 1 } })];
      const { planted, tried } = await tryAllFormats(one, 300, seed + 2);
      expect(planted, name).toBeGreaterThan(200);
      for (const { format, left } of tried) expect(left, `${format} of ${name}`).toEqual([]);
    }
  },
);

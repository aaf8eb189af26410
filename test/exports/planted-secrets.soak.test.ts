import { expect, it } from "vitest";
import { openHistories } from "../../src/histories.js";
import type { InspectorDataSource } from "../../src/index.js";
import { archiveOf } from "../support/archive.js";
import {
  HAS_SHARED_DATA,
  SHARED_DATA,
  sharedFolders,
  WITHOUT_SHARED_DATA,
} from "../support/shared-histories.js";
import { tryAllFormats } from "./support/try-all-formats.js";

/** Of formats that have suites of their own. */
const MORE = [
  ["claude-code", "claude-code/agentcmd/projects"],
  ["codex", "codex/code-butler"],
] as const;

async function folders(): Promise<
  { readonly name: string; readonly open: () => Promise<InspectorDataSource> }[]
> {
  const others = (await sharedFolders()).map(({ name, open }) => ({ name, open: async () => open() }));
  return [
    ...MORE.map(([format, folder]) => ({
      name: folder,
      open: () => openHistories(format, `${SHARED_DATA}/${folder}`, { threads: false }),
    })),
    ...others,
  ];
}

it.skipIf(!HAS_SHARED_DATA)(
  `none of 300 secrets is in a file of any format, in histories of every tool${WITHOUT_SHARED_DATA}`,
  { timeout: 1_800_000 },
  async () => {
    for (const [seed, { name, open }] of (await folders()).entries()) {
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

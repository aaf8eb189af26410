import { expect, it } from "vitest";
import { placesOf } from "../../src/adapters/cli/opening/place-sources.js";
import { supportedSources } from "../../src/composition/command-line-parts.js";
import type { KeepReport } from "../../src/domain/session/history-files.js";
import { homeFolder, run } from "../support/command-line.js";
import { INVENTED, inventedFolder } from "../support/invented/histories.js";
import { HAS_SHARED_DATA, SHARED_DATA } from "../support/shared-data.js";
import { sized } from "../support/soak.js";

const INVENTED_FOLDERS = new Map(INVENTED.map(({ kind }) => [kind, inventedFolder(kind)]));

/** The first shared folder of each kind, or else an invented one. */
async function folders(): Promise<ReadonlyMap<string, string>> {
  if (!HAS_SHARED_DATA) return INVENTED_FOLDERS;
  const { histories: found } = await placesOf(SHARED_DATA, supportedSources());
  return new Map(found.toReversed().map(({ kind, folder }) => [kind.name, folder]));
}

it("Copies of histories are opened as the originals", async () => {
  await homeFolder();
  const first = await folders();
  expect(first.size).toBeGreaterThan(4);
  const originals = [...first.values()].slice(-sized(3, first.size));
  const listed = async (folder: string) => JSON.parse((await run("list", folder, "--json")).stdout).sessions;
  const { stdout, stderr } = await run("keep", ...originals, "--to", "kept", "--json");
  expect(stderr).toBe("");
  const { sources } = JSON.parse(stdout) as KeepReport;
  expect(sources.map(({ from }) => from).sort()).toEqual(originals.sort());
  for (const { from, to, failed } of sources) {
    expect(failed).toEqual([]);
    expect([from, await listed(to)]).toEqual([from, await listed(from)]);
  }
}, 30_000);

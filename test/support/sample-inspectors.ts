import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll } from "vitest";
import { type Inspector, inspect, MOUNTS } from "./inspector.js";
import { SAMPLE } from "./sample.js";
import { type CreateSource, SOURCES } from "./sources.js";

export const SAMPLE_CASES = SOURCES.flatMap(([name, create]) =>
  MOUNTS.map(([mount, prefix]) => ({ name, mount, create, prefix })),
);

/** The tests around the call share one inspector and only read it: to write its files for each would take most of their time. */
export function sampleInspector({
  create,
  prefix,
}: {
  readonly create: CreateSource;
  readonly prefix: string;
}): () => Inspector {
  let folder: string;
  let inspector: Inspector;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "agent-inspector-"));
    inspector = inspect(await create(SAMPLE, folder), prefix);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return () => inspector;
}

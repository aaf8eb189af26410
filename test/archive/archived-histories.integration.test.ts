import path from "node:path";
import { expect, test } from "vitest";
import { InProcessPool } from "../../src/advanced.js";
import { supportedSources } from "../../src/composition/command-line-parts.js";
import { INVENTED, inventedFolder } from "../support/invented/histories.js";
import { HAS_SHARED_DATA, SHARED_DATA } from "../support/shared-data.js";
import { sized } from "../support/soak.js";
import { expectSameAnswers } from "./support/same-answers.js";

const SHARED = [
  ["otlp", "otlp/kagua"],
  ["codex", "codex/cyspbot/sessions"],
  ["claude-code", "claude-code/run-2.1.331/projects"],
].slice(0, sized(1, 3)) as [kind: string, place: string][];

/** Without OpenTelemetry: no archive has the warning about a line that names no session. */
const ALL_KINDS = INVENTED.map(({ kind }) => kind).filter((kind) => kind !== "otlp");
const KINDS = sized(["claude-code", "codex", "opencode"], ALL_KINDS);

const HISTORIES: readonly (readonly [kind: string, name: string, folder: string])[] = [
  ...KINDS.map((kind) => [kind, "invented", inventedFolder(kind)] as const),
  ...SHARED.flatMap(([kind, place]) =>
    HAS_SHARED_DATA ? [[kind, place, path.join(SHARED_DATA, place)] as const] : [],
  ),
];

test.each(HISTORIES)("an opened archive answers everything as %s did: %s", async (kind, _, folder) => {
  const source = supportedSources().find(({ name }) => name === kind);
  expect(source).toBeDefined();
  await expectSameAnswers(await source!.open(folder, { pool: new InProcessPool() }));
});

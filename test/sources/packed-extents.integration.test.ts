import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { openHistories } from "../../src/histories.js";
import { listSources } from "../support/list-sources.js";
import { HAS_SHARED_DATA, SHARED_DATA, WITHOUT_SHARED_DATA } from "../support/shared-histories.js";

it.skipIf(!HAS_SHARED_DATA).each([
  ["opencode", "opencode/run-1.18.33", /\.db$/],
  ["inspect", "inspect", /\.(eval|json)$/],
] as const)(
  `Sources count each database or archive once, whole: %s${WITHOUT_SHARED_DATA}`,
  async (name, shared, container) => {
    const folder = path.join(SHARED_DATA, shared);
    const sizes = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => container.test(file) && !file.endsWith("export.json"))
      .map((file) => statSync(path.join(folder, file)).size);
    const source = await openHistories(name, folder, { threads: false });
    const { sources } = await listSources(source);
    await source.close?.();
    const [report] = sources;
    expect(report!.sessions).toBeGreaterThan(sizes.length);
    expect([report!.files, report!.bytes]).toEqual([
      sizes.length,
      sizes.reduce((sum, size) => sum + size, 0),
    ]);
  },
);

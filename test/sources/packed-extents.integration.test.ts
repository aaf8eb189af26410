import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openHistories } from "../../src/histories.js";
import { inventedFolder } from "../support/invented/histories.js";
import { listSources } from "../support/list-sources.js";
import { HAS_SHARED_DATA, SHARED_DATA } from "../support/shared-data.js";

const database = mkdtempSync(path.join(tmpdir(), "packed-extents-"));
afterAll(() => rmSync(database, { recursive: true }));
copyFileSync(path.join(inventedFolder("opencode"), "opencode.db"), path.join(database, "opencode.db"));

describe.each([
  ["opencode", database, "opencode/run-1.18.33", /\.db$/],
  ["inspect", inventedFolder("inspect"), "inspect", /\.(eval|json)$/],
] as const)(
  "Sources count each database or archive once, at its full size: %s",
  (name, invented, shared, container) => {
    it.each([invented, ...(HAS_SHARED_DATA ? [path.join(SHARED_DATA, shared)] : [])])(
      "in %s",
      async (folder) => {
        const sizes = readdirSync(folder, { recursive: true, encoding: "utf8" })
          .filter((file) => container.test(file) && !file.endsWith("export.json"))
          .map((file) => statSync(path.join(folder, file)).size);
        const source = await openHistories(name, folder, { threads: false });
        const { sources } = await listSources(source);
        await source.close?.();
        const [report] = sources;
        expect(report!.sessions).toBeGreaterThanOrEqual(sizes.length);
        expect([report!.files, report!.bytes]).toEqual([
          sizes.length,
          sizes.reduce((sum, size) => sum + size, 0),
        ]);
      },
    );
  },
);

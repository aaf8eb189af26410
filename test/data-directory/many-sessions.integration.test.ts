import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { sessionFiles } from "../../src/adapters/data-directory/session-files.js";
import { envelopeText, NOON } from "../contract/fixture.js";
import { PROJECT_ROOT } from "../support/build.js";
import { temporaryFolder } from "../support/data-directory.js";
import { sized } from "../support/soak.js";

const SESSIONS = sized(300, 10_000);

describe("a list of more sessions than files may be open", () => {
  it("is read with no more than 256 files open, and again as soon as one of them has changed", {
    timeout: 300_000,
  }, async () => {
    const dataDir = await temporaryFolder();
    for (let i = 0; i < SESSIONS; i++) {
      const files = sessionFiles(dataDir, `tenant-${i % 7}`, `session-${i}`);
      await mkdir(path.dirname(files.trace), { recursive: true });
      await writeFile(
        files.session,
        `${JSON.stringify({ type: "init", userId: "u", createdAt: NOON + i })}\n`,
      );
      await writeFile(files.trace, `${envelopeText(0, { type: "turn.start" })}\n`);
    }
    const script = `
      import { appendFile } from "node:fs/promises";
      import { createFilesystemInspectorDataSource } from "./dist/src/advanced.js";
      const source = createFilesystemInspectorDataSource(process.argv[1]);
      const [first, second] = await Promise.all([source.listSessions(), source.listSessions()]);
      console.log(first.length, second.length, new Set(first.map((item) => item.sessionId)).size);
      await appendFile(process.argv[2], JSON.stringify({ type: "update", title: "Later" }) + "\\n");
      console.log((await source.listSessions()).filter(({ title }) => title === "Later").length);
    `;
    const command = `ulimit -n 256 && exec "$0" --input-type=module -e "$1" "$2" "$3"`;
    const { session } = sessionFiles(dataDir, "tenant-3", "session-3");
    const listing = spawnSync("bash", ["-c", command, process.execPath, script, dataDir, session], {
      cwd: PROJECT_ROOT,
      encoding: "utf8",
      timeout: 240_000,
    });
    expect(listing.stderr).toBe("");
    expect(listing.stdout.trim()).toBe(`${SESSIONS} ${SESSIONS} ${SESSIONS}\n1`);
  });
});

import { describe, expect, it, onTestFinished } from "vitest";
import { MemoryDataSource } from "../../src/adapters/memory/memory-data-source.js";
import { addSession, MemoryState } from "../../src/adapters/memory/memory-state.js";
import { createFilesystemInspectorDataSource } from "../../src/advanced.js";
import { asDataSource } from "../../src/application/sources/lift.js";
import { InProcessPool } from "../../src/application/threads/in-process-pool.js";
import { openHistories } from "../../src/histories.js";
import { countCalls, recordFileCalls } from "../support/count-file-calls.js";
import { folderWith } from "../support/history-files.js";
import { envelopesOf, expectStates, FILES, STORIES, type Story } from "../support/session-stories.js";

const NAMES = Object.keys(STORIES) as Story[];

describe.each(Object.keys(FILES))("the state of a session in files of the format %s", (format) => {
  it.each(NAMES)("follows time alone, after a record of: %s", async (story) => {
    const folder = await folderWith(FILES[format]!(story));
    await expectStates(story, async (now) => {
      const source =
        format === "data-directory"
          ? createFilesystemInspectorDataSource(folder, { pool: new InProcessPool(), now })
          : await openHistories(format, folder, { threads: false, now });
      onTestFinished(() => source.close?.());
      return source;
    });
  });

  it("reads no file because time passed", async () => {
    const folder = await folderWith(FILES[format]!("hang"));
    const calls = await recordFileCalls(
      `import { createFilesystemInspectorDataSource, InProcessPool } from "./dist/src/advanced.js";
       import { openHistories } from "./dist/src/histories.js";
       const [format, folder] = process.argv.slice(2);
       let time = 0;
       const now = () => time;
       const source = format === "data-directory"
         ? createFilesystemInspectorDataSource(folder, { pool: new InProcessPool(), now })
         : await openHistories(format, folder, { threads: false, now });
       const kindAt = async (at) => {
         time = at;
         return (await source.listSessions())[0].state.kind;
       };
       const newest = Date.parse((await source.listSessions())[0].lastActive);
       const before = await kindAt(newest);
       stage("later");
       const after = await kindAt(newest + 120_000);
       if (before + after !== "runningstalled") throw new Error(before + after);`,
      { below: folder, args: [format, folder] },
    );
    const reads = ["", "later"].map((stage) => countCalls(calls, stage).read ?? 0);
    expect(reads).toEqual([expect.toSatisfy((count: number) => count > 0), 0]);
  });
});

it.each(NAMES)(
  "the state of a session in memory follows time alone, after a record of: %s",
  async (story) => {
    const state = new MemoryState();
    addSession(state, { tenantId: "acme", sessionId: "s1", createdAt: 0, envelopes: envelopesOf(story) });
    await expectStates(story, async (now) => asDataSource(new MemoryDataSource(state, now)));
  },
);

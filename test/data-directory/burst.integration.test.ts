import fc from "fast-check";
import { describe, it } from "vitest";
import { createFilesystemInspectorDataSource, createFilesystemSessionStore } from "../../src/advanced.js";
import { temporaryFolder } from "../support/data-directory.js";
import { delayFileCalls } from "../support/delayed-file-calls.js";
import { turns } from "../support/delayed-store.js";
import { sharedThread } from "../support/pools.js";
import { expectRecorded, recordings, WRITERS } from "../support/random-recordings.js";
import { describeBursts } from "../support/recorded-burst.js";
import { runs } from "../support/soak.js";

const pool = sharedThread();

async function open() {
  const dataDir = await temporaryFolder();
  return {
    store: createFilesystemSessionStore(dataDir),
    source: createFilesystemInspectorDataSource(dataDir, { pool }),
  };
}

describe("A data directory", () => {
  describeBursts(open);

  it.each(WRITERS)("shows what %s, in its order, whatever its store waits for", async (_, write) => {
    const { store, source } = await open();
    let waits: readonly number[] = [0];
    let calls = 0;
    delayFileCalls(() => turns(waits[calls++ % waits.length]!));
    let tenants = 0;
    await fc.assert(
      fc.asyncProperty(recordings, fc.array(fc.nat(5), { minLength: 1 }), async (steps, list) => {
        waits = list;
        const tenantId = `t${tenants++}`;
        await expectRecorded(source, tenantId, await write(store, tenantId, steps));
      }),
      { numRuns: runs(100) },
    );
  });
});

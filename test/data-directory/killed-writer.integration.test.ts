import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createFilesystemInspectorDataSource } from "../../src/advanced.js";
import type { RecordWarning } from "../../src/index.js";
import { PROJECT_ROOT } from "../support/build.js";
import { temporaryFolder } from "../support/data-directory.js";
import { inspectJson } from "../support/read-list.js";
import { sized } from "../support/soak.js";

const KILLS = sized(3, 100);

describe("a writer that is killed in the middle of an append", () => {
  it("costs at most the record that it was writing, again and again", { timeout: 600_000 }, async () => {
    const dataDir = await temporaryFolder();
    const acknowledged: string[] = [];
    for (let run = 0; run < KILLS; run++) {
      const writer = spawn(
        process.execPath,
        [path.join(PROJECT_ROOT, "test/support/endless-writer.mjs"), dataDir, String(run)],
        { stdio: ["ignore", "pipe", "inherit"] },
      );
      let output = "";
      writer.stdout.setEncoding("utf8").on("data", (chunk: string) => {
        output += chunk;
      });
      await once(writer.stdout, "data");
      await wait((run % 10) * 0.7);
      writer.kill("SIGKILL");
      await once(writer, "close");
      acknowledged.push(...output.split("\n").slice(0, -1));
    }

    const { messages, warnings = [] } = await inspectJson<{
      messages: { content: string }[];
      warnings?: RecordWarning[];
    }>(createFilesystemInspectorDataSource(dataDir), "/sessions/s1/messages?tenantId=acme");
    const found = messages.map(({ content }) => content);
    expect(new Set(found).size).toBe(found.length);
    expect(acknowledged.filter((content) => !found.includes(content))).toEqual([]);
    expect(found.filter((content) => content.endsWith("/0"))).toHaveLength(KILLS);
    // Each kill may leave one record without acknowledgement, or one torn line.
    expect(found.length - acknowledged.length + warnings.length).toBeLessThanOrEqual(KILLS);
  });
});

import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { CRAFTED_FOLDERS, writeGoodSession } from "../support/crafted/crafted-folders.js";
import { temporaryFolder } from "../support/data-directory.js";

const LIST = path.resolve(import.meta.dirname, "../support/list-measured.mjs");

const MOST_MS = 10_000;
const MOST_MB = 500;

describe.each(CRAFTED_FOLDERS.map((one) => [one.name, one] as const))(
  "%s of its full size",
  (name, { format, plant, sizes, warning }) => {
    it("takes no other session out of the list, and little time and memory", async () => {
      const folder = await temporaryFolder();
      writeGoodSession(folder, format);
      plant(folder, sizes[1]);
      const { stdout } = await promisify(execFile)(process.execPath, [LIST, format, folder], {
        timeout: 120_000,
      });
      const { good, warnings, ms, cpuMs, mb, stillMs } = JSON.parse(stdout);
      const figures = `${ms} ms, ${cpuMs} ms of processor time, ${mb} MB`;
      process.stdout.write(`${name}: ${figures}, the event loop stands still for ${stillMs} ms\n`);
      expect(good).toMatchObject({ sessionId: "good" });
      if (warning !== undefined) expect(warnings.join("\n")).toMatch(warning);
      expect([ms <= MOST_MS, mb <= MOST_MB]).toEqual([true, true]);
    });
  },
);

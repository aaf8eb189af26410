import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { PROJECT_ROOT } from "../support/build.js";

const HOST = path.join(PROJECT_ROOT, "test/support/sdk-host.mjs");

interface Observed {
  readonly result?: unknown;
  readonly unhandled: readonly string[];
  readonly late: number;
}

/** In a process that ends by itself. */
async function observed(
  vendor: string,
  kind: "bare" | "recorded",
): Promise<Readonly<Record<string, Observed>>> {
  const { stdout } = await promisify(execFile)(process.execPath, [HOST, vendor, kind], {
    maxBuffer: 16 * 1024 * 1024,
  });
  return JSON.parse(stdout);
}

describe.each(["anthropic", "openai"])("a recorded client of %s", (vendor) => {
  it("rejects, streams and ends exactly as the bare client does", async () => {
    const [bare, recorded] = await Promise.all([observed(vendor, "bare"), observed(vendor, "recorded")]);
    expect(bare["a call that nobody awaits"]?.unhandled).toHaveLength(1);
    expect(bare["a call that is caught late"]?.late).toBe(1);
    expect(bare["a call that is caught"]?.unhandled).toEqual([]);
    expect(Object.keys(bare).length).toBeGreaterThan(40);
    expect(recorded).toEqual(bare);
  });
});

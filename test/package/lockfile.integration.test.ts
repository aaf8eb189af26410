import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT_ROOT } from "../support/build.js";

interface LockedPackage {
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly resolved?: string;
  readonly integrity?: string;
}

/** Binaries for other platforms than Linux, which are missing in the lockfile's registry: CONTRIBUTING. */
const WITHOUT_INTEGRITY = /^node_modules\/@(biomejs\/cli|oxc-parser\/binding)-[\w-]+$/;

describe("the lockfile", () => {
  const lockfile = readFileSync(path.join(PROJECT_ROOT, "package-lock.json"), "utf8");
  const { packages } = JSON.parse(lockfile) as { packages: Readonly<Record<string, LockedPackage>> };
  const installed = Object.entries(packages).filter(
    ([place, { link }]) => /(^|\/)node_modules\//.test(place) && link !== true,
  );

  it("holds what every package must be", () => {
    const unknown = installed.filter(([, { integrity = "" }]) => !/^sha512-[\w+/]{86}==$/.test(integrity));
    expect(installed.length).toBeGreaterThan(400);
    expect(unknown.filter(([place, { optional }]) => !optional || !WITHOUT_INTEGRITY.test(place))).toEqual(
      [],
    );
    expect(unknown.length).toBeLessThanOrEqual(23);
  });

  it("names no registry", () => {
    expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });
});

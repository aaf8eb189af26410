import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/data-directory.js";
import { runToEnd } from "../../../domain/lists/run-to-end.js";
import { discoveredOnce, instantOfProcess } from "./discovered-once.js";
import { filePerSession } from "./file-per-session.js";
import { loneSession } from "./transcript-files.js";

describe("What is found in a folder", () => {
  it("is found once for all who ask since an instant, and anew for anybody else", () => {
    let times = 0;
    const find = discoveredOnce(function* (root: string) {
      yield;
      return `${root} ${++times}`;
    });
    const since = instantOfProcess();
    expect(runToEnd(find("/a", { since }))).toBe("/a 1");
    expect(runToEnd(find("/a", { since }))).toBe("/a 1");
    expect(runToEnd(find("/b", { since }))).toBe("/b 2");
    expect(runToEnd(find("/a"))).toBe("/a 3");
    expect(runToEnd(find("/a", { since: instantOfProcess() }))).toBe("/a 4");
  });

  it("is looked at once for a list, however many tenants it has", async () => {
    const root = await temporaryFolder();
    for (let i = 0; i < 30; i++) {
      await mkdir(path.join(root, `p${i}`));
      await writeFile(path.join(root, `p${i}`, "s.jsonl"), "{}\n");
    }
    let looks = 0;
    const folder = filePerSession({
      depth: 1,
      isNamed: () => true,
      *sessionOf(_, file) {
        looks++;
        yield;
        return loneSession(file);
      },
    });
    const since = instantOfProcess();
    const tenants = runToEnd(folder.tenants(root, { since }));
    const sessions = tenants.flatMap((tenantId) => runToEnd(folder.discover(root, tenantId, { since })));
    expect([tenants.length, sessions.length, looks]).toEqual([30, 30, 30]);
  });
});

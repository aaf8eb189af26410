import { mkdir } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../support/data-directory.js";
import { expectGoodBesideHostile } from "../support/hostile-instants/answers.js";
import { INSTANT_HISTORIES } from "../support/hostile-instants/histories.js";

describe.each(INSTANT_HISTORIES.map((history, turn) => [history.name, history, turn] as const))(
  "In %s",
  (_, history, turn) => {
    it("sessions with hostile instants cost nothing of a session beside them", {
      timeout: 120_000,
    }, async () => {
      const warnings = await expectGoodBesideHostile(async (planned) => {
        // Some formats take the name of the folder for the tenant.
        const folder = path.join(await temporaryFolder(), "histories");
        await mkdir(folder);
        await history.write(folder, planned);
        const source = await history.open(folder);
        onTestFinished(() => source.close?.());
        return source;
      }, turn);
      expect(warnings).toBeGreaterThan(0);
    });
  },
);

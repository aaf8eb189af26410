import { describe, it } from "vitest";
import { inTurn } from "../support/shared-histories.js";
import { allProjects } from "./support/all-projects.js";
import { CHOSEN, expectNothingMissing, partsOf, storedIn } from "./support/stored-strings.js";

describe("a search of histories", () => {
  it.each(inTurn(allProjects(), ([, folder]) => folder))(
    "%s: names every session in which a string holds the text",
    async (_, folder) => {
      const stored = storedIn(folder);
      await expectNothingMissing(folder, stored, [...CHOSEN, ...partsOf(stored, 5)]);
    },
  );
});

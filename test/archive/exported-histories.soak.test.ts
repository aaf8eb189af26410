import { expect, test } from "vitest";
import { openArchive } from "../../src/adapters/archive/archive-source.js";
import { unescapeBytes } from "../../src/adapters/archive/packed-text.js";
import { unpackArchive } from "../../src/adapters/archive/unpack-archive.js";
import { packArchive } from "../../src/adapters/archive-files/pack-archive.js";
import { placesOf } from "../../src/adapters/cli/opening/place-sources.js";
import { supportedSources } from "../../src/composition/command-line-parts.js";
import { archiveOf, linesOf } from "../support/archive.js";
import { answersOf } from "../support/inspector-answers.js";
import { HAS_SHARED_DATA, SHARED_DATA } from "../support/shared-data.js";
import { describeShared } from "../support/shared-suites.js";

const PLACES = HAS_SHARED_DATA ? (await placesOf(SHARED_DATA, supportedSources())).histories : [];

describeShared("shared histories", () => {
  test.each(PLACES.map((place) => [place.folder.slice(SHARED_DATA.length + 1), place] as const))(
    "are answered of alike when they were exported and opened again: %s",
    async (_name, { kind, folder }) => {
      const source = await kind.open(folder, {});
      try {
        const expected = await answersOf(source);
        const packed: Uint8Array[] = [];
        for await (const bytes of packArchive(linesOf(await archiveOf(source))))
          packed.push(unescapeBytes(bytes));
        const { source: opened } = await openArchive(unpackArchive(packed));
        const answers = await answersOf(opened);
        expect([...answers.keys()]).toEqual([...expected.keys()]);
        expect(
          [...expected]
            .filter(([question, answer]) => answers.get(question) !== answer)
            .map(([question]) => question),
        ).toEqual([]);
      } finally {
        await source.close?.();
      }
    },
  );
});

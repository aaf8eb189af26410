import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { defineFormat, type FormatDefinition } from "../../src/adapters/formats/define-format.js";
import { createHistoriesDataSource } from "../../src/composition/open-histories.js";
import { isJsonObject } from "../../src/domain/json/json.js";
import { checkOptions, type OptionTable } from "../../src/domain/options/check-options.js";
import { kindOf } from "../../src/domain/options/option-kinds.js";
import { describeDerivedSource } from "./describe-derived-source.js";
import { DAMAGED, endedEarly, placesIn, readAll, recordsIn, sourceOf, withRecord } from "./read-examples.js";

export interface HistoryExample {
  readonly name: string;
  /** Path of a folder with nothing but histories of the format. The suite damages copies of it. */
  readonly folder: string;
}

export type FormatPart = "recognition" | "list and summary" | "messages" | "instants" | "records" | "damage";

export interface FormatContractOptions {
  /** Parts to skip, each with the reason, which the report displays. */
  readonly skip?: Partial<Record<FormatPart, string>>;
}

const OPTIONS = {
  skip: kindOf("an object of reasons by part", isJsonObject),
} satisfies OptionTable<FormatContractOptions>;

/**
 * The contract of a format as a test suite (Vitest). The content identifies the format, and a list has the figures of the summaries.
 * Messages have roles, nothing ends before it starts, and each record is displayed or counted. Damage costs only itself.
 * @param examples at least one, each with at least one session of several records
 * @throws TypeError for an unknown option, one of another kind, or no examples
 * @example
 * describeHistoryFormat(quillFormat, [{ name: "a failed call", folder: "histories/failed-call" }]);
 */
export function describeHistoryFormat(
  format: FormatDefinition,
  examples: readonly HistoryExample[],
  options: FormatContractOptions = {},
): void {
  const { skip = {} } = checkOptions(OPTIONS, options);
  const { files, label } = defineFormat(format);
  if (examples.length === 0) throw new TypeError("A format needs at least one example history.");
  const part = (name: FormatPart, body: () => void) => {
    const reason = skip[name];
    if (reason === undefined) describe(name, body);
    else describe.skip(`${name} (skipped: ${reason})`, body);
  };
  const isHistory = (file: string) => file.endsWith(files.ending);
  const scratch = scratchFolders();

  describe.each(examples)(`${label} as a format: $name`, ({ folder }) => {
    const read = (place = folder) => readAll(format, place);

    part("recognition", () => {
      it("is selected by the content of the folder", async () => {
        const source = await createHistoriesDataSource({ folder, formats: [format], threads: false });
        const sessions = await source.listSessions();
        await source.close?.();
        expect(sessions).not.toEqual([]);
      });

      it("recognises no file by its name alone", async () => {
        const copy = await scratch.copyOf(folder);
        for (const file of await historiesIn(copy, isHistory))
          await writeFile(file, '{"of":"another tool"}\n');
        expect((await read(copy)).sessions).toEqual([]);
      });
    });

    part("list and summary", () => {
      it("have the same turns and tokens", async () => {
        for (const { item, summary } of (await read()).sessions) {
          const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = summary.total.usage;
          const tokens = inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
          expect([item.sessionId, item.turns, item.tokens]).toEqual([
            item.sessionId,
            summary.counts.turns,
            tokens,
          ]);
        }
      });
    });

    part("messages", () => {
      it("are objects with a role", async () => {
        for (const { item, messages } of (await read()).sessions) {
          expect([item.sessionId, messages.length]).not.toEqual([item.sessionId, 0]);
          const others = messages.filter((one) => !isJsonObject(one) || typeof one.role !== "string");
          expect([item.sessionId, others]).toEqual([item.sessionId, []]);
        }
      });
    });

    part("instants", () => {
      it("are of this time, and nothing ends before it starts", async () => {
        for (const { item, trace } of (await read()).sessions) {
          expect(Date.parse(item.lastActive)).toBeGreaterThan(Date.parse("1971-01-01"));
          expect([item.sessionId, endedEarly(trace)]).toEqual([item.sessionId, []]);
        }
      });
    });

    part("damage", () => {
      const { arrayMember } = files;

      it("of the end costs at most the last record", async () => {
        const copy = await scratch.copyOf(folder);
        const before = (await read(copy)).sessions;
        for (const file of await historiesIn(copy, isHistory)) {
          const text = (await readFile(file, "utf8")).trimEnd();
          await writeFile(file, text.slice(0, -2));
        }
        const after = (await read(copy)).sessions;
        expect(after.map(({ item }) => item.sessionId)).toEqual(before.map(({ item }) => item.sessionId));
        for (const [i, { trace, warnings }] of after.entries())
          expect(placesIn(trace, warnings).size).toBeGreaterThanOrEqual(
            placesIn(before[i]!.trace, before[i]!.warnings).size - 1,
          );
      });

      it("of an empty file is no session", async () => {
        const copy = await scratch.copyOf(folder);
        const [first] = await historiesIn(copy, isHistory);
        const before = await read(copy);
        await writeFile(path.join(path.dirname(first!), `empty-${files.ending}`), "");
        expect((await read(copy)).sessions.length).toBe(before.sessions.length);
      });

      it.each(DAMAGED)("of one record costs only itself: $name", async ({ text }) => {
        const copy = await scratch.copyOf(folder);
        const before = (await read(copy)).sessions;
        for (const file of await historiesIn(copy, isHistory)) {
          const history = await readFile(file, "utf8");
          await writeFile(file, withRecord(history, text(format.instantMember), arrayMember));
        }
        const after = (await read(copy)).sessions;
        expect(after.map(({ item }) => item.sessionId)).toEqual(before.map(({ item }) => item.sessionId));
        for (const [i, { item, trace, warnings, messages }] of after.entries()) {
          const { trace: complete, warnings: reported, messages: previous } = before[i]!;
          const places = placesIn(trace, warnings);
          expect([item.sessionId, places.size]).toEqual([
            item.sessionId,
            placesIn(complete, reported).size + 1,
          ]);
          expect(messages.length).toBeGreaterThanOrEqual(previous.length);
          expect(endedEarly(trace)).toEqual([]);
        }
      });
    });
  });

  part("records", () => {
    describeDerivedSource(
      label,
      (folder) => sourceOf(format, folder),
      examples,
      files.arrayMember === undefined
        ? { isHistory }
        : { isHistory, countRecords: (_, text) => recordsIn(text, files.arrayMember!) },
    );
  });
}

async function historiesIn(folder: string, isHistory: (file: string) => boolean): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter(isHistory).map((name) => path.join(folder, name));
}

function scratchFolders() {
  const folders: string[] = [];
  afterAll(async () => {
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });
  return {
    async copyOf(folder: string): Promise<string> {
      const copy = await mkdtemp(path.join(tmpdir(), "history-format-"));
      folders.push(copy);
      await cp(folder, copy, { recursive: true });
      return copy;
    },
  };
}

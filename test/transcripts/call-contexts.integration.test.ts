import path from "node:path";
import { describe, expect, it, type TestContext } from "vitest";
import { allProjects } from "../claude-code/support/all-projects.js";
import { newHome } from "../codex/support/homes.js";
import { allHomes } from "../codex/support/real-homes.js";
import { allGeminiFolders } from "../gemini-cli/support/real-histories.js";
import { type Format, openHistory } from "../support/call-oracle/histories.js";
import { MADE } from "../support/call-oracle/made-histories.js";
import { type Answer, compareContexts, type Disagreement } from "../support/call-oracle/seen-by-calls.js";
import { HAS_SHARED_DATA, kindOfShared, sharedHistories } from "../support/shared-data.js";
import { inTurn } from "../support/shared-histories.js";
import { sized } from "../support/soak.js";

/** The raw files of these conversations lack the model's input; by history, with the reason. */
const UNKNOWABLE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "claude-code/agent-sessions": {
    small:
      "put together from pieces: records of two conversations have the same parent, and many the same id",
    "small, sub-agents": "of the same file",
  },
};

type Named = readonly [name: string, format: Format, folder: string];

const FORMATS: readonly Format[] = ["claude-code", "codex", "gemini-cli"];

const HISTORIES: readonly Named[] = [
  ...allProjects().map(([name, folder]): Named => [`claude-code/${name}`, "claude-code", folder]),
  ...allHomes().map(({ name, folder }): Named => [`codex/${name}`, "codex", folder]),
  ...allGeminiFolders().map(([name, folder]): Named => [`gemini-cli/${name}`, "gemini-cli", folder]),
  ...sharedHistories("synthetic").flatMap(({ name, folder }): Named[] => {
    const kind = kindOfShared(`synthetic/${name}`);
    const format = FORMATS.find((one) => one === kind);
    if (format === undefined) return [];
    return [[`synthetic/${name}`, format, format === "claude-code" ? path.join(folder, "projects") : folder]];
  }),
];

describe("what each model call saw", () => {
  it.for(inTurn(HISTORIES, ([, , folder]) => folder))(
    "is what the raw files of %s say",
    { timeout: sized(60_000, 600_000) },
    (history, test) => expectAgreement(history, test),
  );

  it.for(MADE)("is what the raw files of %s say", async ([name, format, files], test) => {
    await expectAgreement([name, format, await newHome(files)], test);
  });

  if (HAS_SHARED_DATA) {
    it("is unknown of histories that are there alone", () => {
      const names = HISTORIES.map(([name]) => name);
      expect(Object.keys(UNKNOWABLE).filter((name) => !names.includes(name))).toEqual([]);
    });
  }
});

/** `--reporter=verbose` shows the counts of each conversation, as annotations of the test. */
async function expectAgreement([name, format, folder]: Named, { annotate }: TestContext): Promise<void> {
  const history = openHistory(format, folder);
  const answers = await compareContexts(history);
  await history.source.close?.();
  const found = [...answers]
    .map(([conversation, answer]) => ({ name: shortened(conversation), answer }))
    .filter((one) => UNKNOWABLE[name]?.[one.name] === undefined);
  for (const one of found) await annotate(report(one.name, one.answer));
  const differing = found.filter(({ answer }) => answer.disagreements.length > 0);
  expect(differing.map((one) => report(one.name, one.answer))).toEqual([]);
  expect(found.reduce((sum, { answer }) => sum + answer.compared + answer.unplaced, 0)).toBeGreaterThan(0);
}

function report(name: string, { calls, compared, agreed, unplaced, disagreements }: Answer): string {
  const kinds = [...new Map([...disagreements].reverse().map((one) => [one.kind, one])).values()];
  const firsts = kinds.map(({ call, kind, unseen, unduly }: Disagreement) => {
    const count = disagreements.filter((one) => one.kind === kind).length;
    return `${count} × ${kind}, as of ${call}: not said to be seen [${places(unseen)}], unduly said to be [${places(unduly)}]`;
  });
  const counts = `${agreed} of ${compared} calls agree (of ${calls}; ${unplaced} placed by neither)`;
  return [`${name}: ${counts}`, ...firsts].join("; ");
}

function places(keys: readonly string[]): string {
  const shown = keys.slice(0, 5).map(shortened);
  return [...shown, ...(keys.length > shown.length ? [`${keys.length - shown.length} more`] : [])].join(", ");
}

function shortened(name: string): string {
  return name.replace(/^rollout-[\dT-]{20}/, "").replace(/\.jsonl?(?=$|[,:])/, "");
}

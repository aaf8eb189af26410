import { expect, it } from "vitest";
import { openArchive } from "../../src/adapters/archive/archive-source.js";
import { archiveLines } from "../../src/application/export/archive-lines.js";
import { causeOf } from "../../src/domain/facts/cause-of.js";
import { FactsBuilder } from "../../src/domain/facts/facts-builder.js";
import { allOf, linesOf } from "../support/archive.js";
import { ENVELOPES, LISTED, MESSAGES, smallSession } from "./support/small-session.js";
import { exportedTexts } from "./support/try-all-formats.js";

/** Passwords that have a folded form in a cause, each with the text of an error. */
const ERRORS: readonly (readonly [password: string, error: (password: string) => string])[] = [
  ["hunter-2024!blue", (password) => `login failed: password=${password} is wrong`],
  ["Hunter22horse!", (password) => `401 password: ${password}`],
  ["abcdefg9!tail77x", (password) => `no access, export PASSWORD=pw_${password}`],
  ["x/yz/9!tailOfIt", (password) => `rejected /etc/app password=${password}`],
  ["quo'te9'tail!rest", (password) => `can't log in with "password":"${password}"`],
];

function partsOf(password: string): string[] {
  return password.split(/[^A-Za-z0-9]|\d{3,}/).filter((part) => part.length >= 5);
}

it("a removed password is in no text of a file of any format, causes, titles and warnings among them", async () => {
  const texts = ERRORS.map(([password, error]) => error(password));
  const facts = new FactsBuilder();
  for (const text of texts) facts.addFailure(0, causeOf(text), "Bash");
  const stored = ENVELOPES.map((envelope, i) =>
    envelope.event.type === "tool.end"
      ? { ...envelope, event: { ...envelope.event, isError: true, output: texts[i % texts.length]! } }
      : envelope,
  );
  const messages = [...MESSAGES, ...texts.map((content) => ({ role: "user", content }))];
  const session = {
    ...LISTED,
    title: texts[0]!,
    facts: { ...facts.build(), edited: [`/shop/${ERRORS[0]![0]}.ts`] },
  };
  const options = { writer: "1.0.0", exportedAt: 0, part: null, redaction: null };
  const lines = await allOf(archiveLines([{ session, snapshot: smallSession(stored, messages) }], options));
  expect(lines[1]).toContain("hunter-n!blue");
  const { source } = await openArchive(linesOf(lines));
  for (const [format, text] of await exportedTexts(source)) {
    for (const [password] of ERRORS) {
      for (const part of [password, ...partsOf(password)])
        expect(text, `${format}: ${part}`).not.toContain(part);
    }
  }
});

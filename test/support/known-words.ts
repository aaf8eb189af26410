import type { ArchiveLines, Redaction, RedactionFinding } from "../../src/advanced.js";

/** `hunter1`, `hunter2`, … */
export function passWords(count: number): readonly RedactionFinding[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `pass-word-${i + 1}`,
    rule: "pass word",
    value: `hunter${i + 1}`,
    length: `hunter${i + 1}`.length,
    stub: `[pass word ${i + 1}]`,
    count: 1,
    places: [{ where: "message 0", before: "it is ", after: "" }],
  }));
}

/** Reports all of its findings for each session that has some of them. */
export class KnownWords implements Redaction {
  readonly #findings: readonly RedactionFinding[];

  constructor(findings: readonly RedactionFinding[]) {
    this.#findings = findings;
  }

  async review(lines: ArchiveLines) {
    let isThere = false;
    for await (const batch of lines) {
      isThere ||= this.#findings.some(({ value }) => batch.some((line) => line.includes(value)));
    }
    return { findings: isThere ? this.#findings : [] };
  }

  async *remove(
    lines: ArchiveLines,
    { findings }: { readonly findings: readonly RedactionFinding[] },
    { keep }: { readonly keep: ReadonlySet<string> },
  ) {
    const removed = findings.filter(({ id }) => !keep.has(id));
    for await (const batch of lines) {
      yield batch.map((line) =>
        removed.reduce((text, { value, stub }) => text.replaceAll(value, stub), line),
      );
    }
  }
}

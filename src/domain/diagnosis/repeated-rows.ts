import type { Waste } from "./waste.js";

/** A repeated activity. */
export interface RepeatedRow {
  readonly kind: "call" | "file";
  readonly label: string;
  readonly times: number;
  /** Calls whose result equals the previous result. */
  readonly unchanged: number;
  /** One after the other. */
  readonly inARow: number;
  readonly afterCompaction: number;
  /** The first one that came again. */
  readonly stepId: string | undefined;
}

/** Calls and readings of files that came again without anything new, each once: a file that was read by one call alone is a row of it. */
export function repeatedRows({
  repeatedCalls,
  rereadFiles,
}: Pick<Waste, "repeatedCalls" | "rereadFiles">): readonly RepeatedRow[] {
  const files = rereadFiles.files.filter(({ unchanged }) => unchanged > 0);
  const calls = repeatedCalls.groups.filter(({ unchanged, inARow }) => unchanged > 0 || inARow > 2);
  const readBy = new Map(files.flatMap((file) => file.stepIds.map((stepId) => [stepId, file] as const)));
  const loops = new Map(
    calls.flatMap(({ stepIds, inARow }) => {
      const file = readBy.get(stepIds[0] ?? "");
      return file === undefined ? [] : [[file, inARow] as const];
    }),
  );
  return [
    ...calls
      .filter(({ stepIds }) => !readBy.has(stepIds[0] ?? ""))
      .map(
        ({ name, subject, stepIds, ...call }): RepeatedRow => ({
          ...call,
          kind: "call",
          label: `${name} ${subject}`,
          stepId: stepIds[1],
        }),
      ),
    ...files.map(
      (file): RepeatedRow => ({
        kind: "file",
        label: file.path,
        times: file.reads,
        unchanged: file.unchanged,
        inARow: loops.get(file) ?? 1,
        afterCompaction: file.afterCompaction,
        stepId: file.stepIds[1],
      }),
    ),
  ];
}

import type { Waste } from "./waste.js";

export interface RepeatedRow {
  readonly kind: "call" | "file";
  readonly label: string;
  readonly times: number;
  readonly unchanged: number;
  readonly inARow: number;
  readonly afterCompaction: number;
  readonly stepId: string | undefined;
}

/** Each repetition once: a file that only one call read is a row of the call. */
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

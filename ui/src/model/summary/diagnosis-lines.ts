import type {
  DiagnosedCause,
  DiagnosedLoop,
  Diagnosis,
  ErrorGroup,
  ErrorOutcomes,
} from "../../../../src/domain/diagnosis/session-diagnosis.js";

export type Verdict = "endedTurn" | "notRecovered" | "unknown" | "continued" | "recovered";

const WORST_FIRST = ["endedTurn", "notRecovered", "unknown", "continued"] as const;

export function verdictOf({ outcomes }: ErrorGroup): Verdict {
  return WORST_FIRST.find((outcome) => outcomes[outcome] > 0) ?? "recovered";
}

export function outcomesOf({ outcomes }: ErrorGroup): readonly (readonly [keyof ErrorOutcomes, number])[] {
  const names = [...WORST_FIRST, "retried"] as const;
  return names.map((name) => [name, outcomes[name]] as const).filter(([, count]) => count > 0);
}

export type DiagnosisLine =
  | { readonly key: string; readonly cause: DiagnosedCause; readonly loop?: undefined }
  | { readonly key: string; readonly loop: DiagnosedLoop; readonly cause?: undefined };

const HARMLESS: ReadonlySet<Verdict> = new Set(["continued", "recovered"]);

/** Loops follow the unrecovered causes: they cost only time and money. */
export function diagnosisLines({ causes, loops }: Diagnosis): readonly DiagnosisLine[] {
  const lines = causes.map((cause) => ({ key: `cause ${cause.first.stepId} ${cause.kind}`, cause }));
  const recovered = lines.findIndex(({ cause }) => HARMLESS.has(verdictOf(cause)));
  const at = recovered === -1 ? lines.length : recovered;
  const looped = loops.map((loop) => ({ key: `loop ${loop.first.stepId}`, loop }));
  return [...lines.slice(0, at), ...looped, ...lines.slice(at)];
}

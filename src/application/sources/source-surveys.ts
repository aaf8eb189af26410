import { isJsonObject } from "../../domain/json/json.js";
import type { GoneSession, SourceProblem } from "../../domain/session/source-report.js";
import { instantOf } from "../../domain/trace/instant.js";
import { SourceContractError } from "../errors.js";
import type { ReadOptions, RecordWarning } from "../ports/record-stream.js";
import type { SessionSource } from "../ports/session-source.js";
import type { SourceSurvey, SurveyRequest } from "../ports/source-survey.js";
import { runInSlices } from "../threads/slices.js";
import { tenantSurveys } from "./tenant-surveys.js";

export async function surveysOfList(
  source: Pick<SessionSource, "findSessions">,
  { tenants, onlyDue }: SurveyRequest,
  options?: ReadOptions,
): Promise<SourceSurvey[]> {
  if (onlyDue) return [];
  const { items, warnings = [] } = await source.findSessions({ tenants }, options);
  const sessions = items.map(({ tenantId, sessionId, createdAt, lastActive }) => {
    return { tenantId, sessionId, oldest: instantOf(createdAt), newest: instantOf(lastActive) };
  });
  const surveys = await runInSlices(tenantSurveys(sessions), options?.signal);
  return [{ tenants: surveys, problems: problemsOf(warnings) }];
}

export function problemsOf(warnings: readonly RecordWarning[]): SourceProblem[] {
  return warnings.map(({ file, line, reason }) => ({ reason, count: 1, file, line }));
}

export function surveysInScope(
  surveys: readonly SourceSurvey[],
  tenants: readonly string[],
): readonly SourceSurvey[] {
  const own = new Set(tenants);
  return surveys.flatMap((survey) => {
    const { path: _, problems: __, gone: ___, failure, ...rest } = survey;
    const visible = survey.tenants.filter(({ tenantId }) => own.has(tenantId));
    const isThere = failure !== undefined || visible.length > 0;
    return isThere ? [{ ...rest, ...(failure === undefined ? {} : { failure }), tenants: visible }] : [];
  });
}

export function surveyOutside(
  survey: SourceSurvey,
  part: Outside & { readonly key: string; readonly name: string },
): SourceSurvey {
  const { key, name, gone, problems } = survey;
  return {
    ...survey,
    key: key === undefined ? part.key : `${part.key}:${key}`,
    name: key === undefined || name === undefined ? part.name : `${part.name}, ${name}`,
    gone: gone?.map((one) => goneOutside(one, part)),
    problems: problems?.map((one) => problemOutside(one, part)),
    tenants: survey.tenants.map((tenant) => ({
      ...tenant,
      tenantId: part.outside(tenant.tenantId),
      problems: tenant.problems?.map((one) => problemOutside(one, part)),
      gone: tenant.gone?.map((one) => goneOutside(one, part)),
    })),
  };
}

interface Outside {
  outside(tenantId: string): string;
}

function goneOutside(one: GoneSession, part: Outside): GoneSession {
  return one.tenantId === undefined ? one : { ...one, tenantId: part.outside(one.tenantId) };
}

function problemOutside(one: SourceProblem, part: Outside): SourceProblem {
  if (one.session === undefined) return one;
  return { ...one, session: { ...one.session, tenantId: part.outside(one.session.tenantId) } };
}

/** @throws SourceContractError for an invalid list of surveys */
export function checkedSurveys(surveys: readonly SourceSurvey[]): readonly SourceSurvey[] {
  const isList = Array.isArray(surveys) && surveys.every(isSurvey);
  if (!isList) throw new SourceContractError("surveySources gives no surveys with their tenants");
  return surveys;
}

function isSurvey(survey: SourceSurvey): boolean {
  return (
    isJsonObject(survey) &&
    Array.isArray(survey.tenants) &&
    survey.tenants.every(
      (tenant) =>
        isJsonObject(tenant) && typeof tenant.tenantId === "string" && Number.isSafeInteger(tenant.sessions),
    )
  );
}

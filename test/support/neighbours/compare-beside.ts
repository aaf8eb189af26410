import { expect } from "vitest";
import { idProblem } from "../../../src/domain/session/ids.js";
import type { SessionKey } from "../../../src/domain/session/session-key.js";
import type { InspectorDataSource } from "../../../src/index.js";
import { askApi } from "./ask-api.js";
import { askTools } from "./ask-tools.js";
import { type Answers, type Asked, Interview } from "./interview.js";

export async function answersAlone(source: InspectorDataSource, good: Asked): Promise<Answers> {
  const interview = new Interview(source);
  return { ...(await askApi(interview, good, [good])), ...(await askTools(interview, good)) };
}

/**
 * Repeats all questions about the good session.
 * @param conforms the list has only members of the document; a custom source may pass others on
 * @returns all current sessions
 */
export async function expectSameBeside(
  source: InspectorDataSource,
  good: Asked,
  expected: Answers,
  conforms = true,
): Promise<{
  readonly interview: Interview;
  readonly sessions: readonly SessionKey[];
}> {
  const interview = new Interview(source);
  const sessions = await interview.listed(conforms);
  const canBeAsked = sessions.filter(
    ({ tenantId, sessionId }) => !(idProblem(tenantId) ?? idProblem(sessionId)),
  );
  const answers = {
    ...(await askApi(interview, good, canBeAsked.slice(0, 5))),
    ...(await askTools(interview, good)),
  };
  expect(differences(expected, answers)).toEqual([]);
  expect(interview.failures).toEqual([]);
  return { interview, sessions: canBeAsked };
}

/** @returns questions with both answers, from shortly before the first difference */
function differences(expected: Answers, answers: Answers): string[] {
  return [...new Set([...Object.keys(expected), ...Object.keys(answers)])].flatMap((question) => {
    const [a = "nothing", b = "nothing"] = [expected[question], answers[question]];
    if (a === b) return [];
    let at = 0;
    while (a[at] === b[at]) at++;
    const part = (text: string) => text.slice(Math.max(0, at - 100), at + 200);
    return [`${question}: expected … ${part(a)} … but it is … ${part(b)} …`];
  });
}

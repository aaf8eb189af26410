import { expect } from "vitest";
import { idProblem } from "../../../src/domain/session/ids.js";
import type { InspectorDataSource } from "../../../src/index.js";
import { askApi } from "./ask-api.js";
import { askTools } from "./ask-tools.js";
import { type Answers, type Asked, Interview } from "./interview.js";

/** What the good session's answers are while nothing hostile is beside it. */
export async function answersAlone(source: InspectorDataSource, good: Asked): Promise<Answers> {
  const interview = new Interview(source);
  return { ...(await askApi(interview, good, [good])), ...(await askTools(interview, good)) };
}

/**
 * Asks everything about the good session again.
 *
 * @param conforms whether the list has no members but those of the document: others, of an own source, are passed on
 * @returns all sessions that there are now
 */
export async function expectSameBeside(
  source: InspectorDataSource,
  good: Asked,
  expected: Answers,
  conforms = true,
): Promise<{
  readonly interview: Interview;
  readonly sessions: readonly Pick<Asked, "tenantId" | "sessionId">[];
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

/** Where answers differ from those that were expected: the question, and both from a little before the first difference on. */
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

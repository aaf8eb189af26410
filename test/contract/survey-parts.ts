import { expect, it } from "vitest";
import type { InspectorDataSource } from "../../src/application/ports/inspector-data-source.js";
import type { SourceSurvey } from "../../src/application/ports/source-survey.js";
import { type ContractSuite, needed, SESSION } from "./suite.js";

export function describeSurvey({ open, part }: ContractSuite): void {
  part("survey", () => {
    const SESSIONS = [SESSION, { ...SESSION, sessionId: "s2" }, { ...SESSION, tenantId: "other" }];

    it("comes to an end, and counts each session of the list in its tenant", async (test) => {
      const { source } = await open(...SESSIONS);
      needed(test, "surveySources", source.surveySources);
      const listed = countedBy(await source.listSessions());
      const surveys = await wholeSurveys(source);
      const counted = surveys.flatMap(({ tenants }) =>
        tenants.flatMap(({ tenantId, sessions }) => (sessions === 0 ? [] : [[tenantId, sessions] as const])),
      );
      expect(new Map(counted)).toEqual(listed);
    });

    it("is of the tenants that are asked for", async (test) => {
      const { source } = await open(...SESSIONS);
      needed(test, "surveySources", source.surveySources);
      const list = await source.listSessions();
      const { tenantId } = list[0]!;
      const own = list.filter((one) => one.tenantId === tenantId).length;
      const surveys = await wholeSurveys(source, [tenantId]);
      const tenants = surveys.flatMap((survey) => survey.tenants);
      expect(tenants.map((one) => [one.tenantId, one.sessions])).toEqual([[tenantId, own]]);
    });
  });
}

async function wholeSurveys(
  source: InspectorDataSource,
  tenants?: readonly string[],
): Promise<readonly SourceSurvey[]> {
  for (let asked = 0; asked < 100; asked++) {
    const surveys = (await source.surveySources?.({ tenants, budgetMs: 0 })) ?? [];
    if (surveys.every((survey) => survey.tenants.every(({ unread = 0 }) => unread === 0))) return surveys;
  }
  throw new Error("surveySources does not come to an end.");
}

function countedBy(sessions: readonly { readonly tenantId: string }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { tenantId } of sessions) counts.set(tenantId, (counts.get(tenantId) ?? 0) + 1);
  return counts;
}

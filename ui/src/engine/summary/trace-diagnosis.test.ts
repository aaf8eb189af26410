import { expect, it } from "vitest";
import { createInMemoryInspectorDataSource, createInspectorRoute } from "../../../../src/advanced.js";
import { recordIn } from "../../../../src/domain/json/json.js";
import { readEventFacts } from "../../../../src/domain/spans/event-facts.js";
import type { SessionSummary } from "../../../../src/domain/summary/session-summary.js";
import { checkoutSession, hookedSession } from "../../../test/fixtures/histories.js";
import { traceModel } from "../../model/trace/trace-model.js";
import { diagnoseTrace } from "./trace-diagnosis.js";

it.each([checkoutSession(), hookedSession()])(
  "the page and the API say the same of $sessionId",
  async (session) => {
    const api = createInspectorRoute(createInMemoryInspectorDataSource([session]), { prices: false });
    const ask = async (path: string) => {
      const { tenantId = "default", sessionId } = session;
      const answer = await api.request(`/sessions/${sessionId}/${path}?tenantId=${tenantId}`);
      return (await answer.json()) as unknown;
    };
    const { diagnosis } = (await ask("summary")) as SessionSummary;
    const { envelopes } = (await ask("trace")) as { readonly envelopes: readonly object[] };
    const records = envelopes.map((envelope) => JSON.stringify(envelope));
    const model = traceModel(
      records.map((record, i) => readEventFacts(recordIn(record), i, 0)),
      new Set(),
    );
    expect(diagnosis.errors).toBeGreaterThan(0);
    expect(diagnosis.errors).toBe(model.totals.errors);
    expect(diagnoseTrace(model, records, () => undefined)).toEqual(diagnosis);
  },
);

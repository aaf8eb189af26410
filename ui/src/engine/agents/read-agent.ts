import { countField, isJsonObject, type JsonObject } from "../../../../src/domain/json/json.js";
import { valueText } from "../../../../src/domain/text/value-text.js";
import type { OrchestrationAgent, OrchestrationJob } from "../../../../src/domain/trace/orchestration.js";
import { instantText } from "../records/instant-text.js";

/** Non-text values of text fields become text. */
export function readAgent(record: JsonObject): OrchestrationAgent {
  const agentId = valueText(record.agentId);
  const role = valueText(record.role);
  return {
    agentId,
    displayName: valueText(record.displayName) || role || agentId,
    role,
    status: valueText(record.status),
    createdAt: instantText(record.createdAt),
    ...textIn(record, "closedAt", instantText),
    ...textIn(record, "parentAgentId", valueText),
    events: countField(record, "events"),
    ...(isJsonObject(record.lastJob) ? { lastJob: readJob(record.lastJob) } : {}),
  };
}

function readJob(job: JsonObject): OrchestrationJob {
  return {
    ...job,
    jobId: valueText(job.jobId),
    outcome: valueText(job.outcome),
    completedAt: instantText(job.completedAt),
  };
}

function textIn(
  record: JsonObject,
  name: string,
  read: (value: unknown) => string,
): { [name: string]: string } {
  const text = read(record[name]);
  return text === "" ? {} : { [name]: text };
}

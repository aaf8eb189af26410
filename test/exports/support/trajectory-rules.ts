import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { isJsonObject, type JsonObject, objectField } from "../../../src/domain/json/json.js";

const SCHEMA = new URL("./atif-1.7.schema.json", import.meta.url);

const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, strictTypes: false });
addFormats.default(ajv);
const validate = ajv.compile(JSON.parse(readFileSync(SCHEMA, "utf8")));

/** Violations of ATIF 1.7: its schema, and rules beyond a schema. */
export function trajectoryProblems(document: unknown): string[] {
  const problems = validate(document)
    ? []
    : validate.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`);
  return [...problems, ...(isJsonObject(document) ? ruleProblems(document, "") : [])];
}

function ruleProblems(trajectory: JsonObject, place: string): string[] {
  const problems: string[] = [];
  const embedded = objects(trajectory.subagent_trajectories);
  const ids = embedded.map(({ trajectory_id }) => trajectory_id);
  if (new Set(ids).size < ids.length) problems.push(`${place}: ids of sub-agents occur twice`);
  for (const [at, step] of objects(trajectory.steps).entries()) {
    if (step.step_id !== at + 1) problems.push(`${place} step ${at}: its id is ${String(step.step_id)}`);
    const calls = objects(step.tool_calls).map(({ tool_call_id }) => tool_call_id);
    for (const result of objects(objectField(step, "observation").results)) {
      if (result.source_call_id !== undefined && !calls.includes(result.source_call_id))
        problems.push(`${place} step ${at}: a result of no call of it`);
      for (const { trajectory_id } of objects(result.subagent_trajectory_ref))
        if (!ids.includes(trajectory_id)) problems.push(`${place} step ${at}: a sub-agent that is not there`);
    }
  }
  return [...problems, ...embedded.flatMap((one, at) => ruleProblems(one, `${place}/${at}`))];
}

function objects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

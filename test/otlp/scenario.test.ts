import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { createOtlpDataSource } from "../../src/otlp.js";
import { EXPECTED_SUMMARY, SCENARIO, summaryOf } from "../support/framework-scenario.js";

it("An export of an agent in Python gives what every framework's recording of the scenario gives", async () => {
  // Its generator, python-sdk.py, lies beside it.
  const directory = fileURLToPath(new URL("fixtures/python-sdk.jsonl", import.meta.url));
  const source = createOtlpDataSource({ directory, threads: false });
  onTestFinished(() => source.close?.());
  const { tenantId, sessionId } = SCENARIO.identity;
  expect(await summaryOf(source, tenantId, sessionId)).toEqual(EXPECTED_SUMMARY);
});

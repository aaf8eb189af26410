import { afterEach, describe } from "vitest";
import type { InspectorDataSource } from "../../src/application/ports/inspector-data-source.js";
import { isJsonObject } from "../../src/domain/json/json.js";
import { checkOptions, type OptionTable } from "../../src/domain/options/check-options.js";
import { kindOf } from "../../src/domain/options/option-kinds.js";
import { describeLists } from "./list-parts.js";
import { describeRecordSearch } from "./record-search-parts.js";
import { describeSearch } from "./search-parts.js";
import { describeSnapshots } from "./snapshot-parts.js";
import type { ContractPart, ContractSuite, CreateContractSource } from "./suite.js";
import { describeSurvey } from "./survey-parts.js";

export interface ContractOptions {
  /** Parts to leave out, each with the reason, which the report shows. */
  readonly skip?: Partial<Record<ContractPart, string>>;
}

const CONTRACT_OPTIONS = {
  skip: kindOf("an object of reasons by part", isJsonObject),
} satisfies OptionTable<ContractOptions>;

/**
 * The contract of `InspectorDataSource` as a test suite (Vitest). A source of your own that passes it works with the
 * inspector. What an optional member promises is tested where the source has it, and skipped by name where it has not.
 *
 * @throws TypeError for an option that there is not, or whose value is of another kind
 *
 * @example
 * describeInspectorDataSource("MySource", async (sessions) => {
 *   const store = await fill(sessions);
 *   return { source: new MySource(store), append: (session) => store.add(session) };
 * });
 */
export function describeInspectorDataSource(
  name: string,
  createSource: CreateContractSource,
  options: ContractOptions = {},
): void {
  checkOptions(CONTRACT_OPTIONS, options);
  const { skip = {} } = options;
  describe(`${name} as an InspectorDataSource`, () => {
    const opened: InspectorDataSource[] = [];
    afterEach(async () => {
      for (const source of opened.splice(0)) await source.close?.();
    });

    const suite: ContractSuite = {
      async open(...sessions) {
        const made = await createSource(sessions);
        const contractSource = "listSessions" in made ? { source: made } : made;
        opened.push(contractSource.source);
        return contractSource;
      },
      part(partName, body) {
        const reason = skip[partName];
        if (reason === undefined) describe(partName, body);
        else describe.skip(`${partName} (skipped: ${reason})`, body);
      },
    };
    describeLists(suite);
    describeSnapshots(suite);
    describeSearch(suite);
    describeRecordSearch(suite);
    describeSurvey(suite);
  });
}

import { SourceUnavailableError } from "../../application/errors.js";
import { isSchemaError } from "./database-errors.js";
import type { Query } from "./lease.js";
import { LATEST_VERSION } from "./migrations.js";

const COMMAND = "Run: agent-inspector migrate --database-url URL";

/**
 * Checks that the tables are those that this version works with. A newer schema is, as long as its migrations say so: old
 * and new versions run side by side while an application is being rolled out.
 *
 * @throws SourceUnavailableError that names the command to run
 */
export async function checkSchema(query: Query, schema: string): Promise<void> {
  const [row] = await query(
    `SELECT coalesce(max(version), 0) AS version, coalesce(max(oldest_user), 0) AS oldest FROM ${schema}.migrations`,
  ).catch((error: unknown) => {
    throw isSchemaError(error) ? missingSchema(error) : error;
  });
  const version = Number(row?.version);
  if (version < LATEST_VERSION) {
    throw new SourceUnavailableError(
      `The database's agent-inspector schema is version ${version}, and version ${LATEST_VERSION} is needed. ${COMMAND}`,
    );
  }
  if (Number(row?.oldest) > LATEST_VERSION) {
    throw new SourceUnavailableError(
      `The database's agent-inspector schema is version ${version}, which is too new for this version of ` +
        "agent-inspector. Update agent-inspector.",
    );
  }
}

export function missingSchema(cause: unknown): SourceUnavailableError {
  return new SourceUnavailableError(`The database has no agent-inspector schema. ${COMMAND}`, { cause });
}

import { SourceRefusedError } from "../../application/errors.js";
import { MIGRATE } from "./connection-failures.js";
import { FOLDER_NAME, folded } from "./folded-text.js";
import type { RunQuery } from "./lease.js";

/** A released migration is never changed: another one follows. */
interface Migration {
  readonly version: number;
  readonly name: string;
  /** The oldest version whose code works after this step. A step that only adds leaves it, so that old and new code run side by side. */
  readonly oldestUser: number;
  readonly sql: string;
}

/**
 * Every key starts with the tenant, and no table refers to another, so that tables can be distributed by tenant. Positions are per
 * session, under its row's lock. Numbers are double precision, as in JavaScript. Records are `text`, byte for byte; `raw` replaces
 * `record` if it is not valid UTF-8.
 */
const recordTable = (name: string, columns = "") => `
CREATE TABLE ${name} (
  tenant_id text COLLATE "C" NOT NULL,
  session_id text COLLATE "C" NOT NULL,
  position integer NOT NULL,
  record_key uuid NOT NULL,
  bytes integer NOT NULL,${columns}
  record text COLLATE "C" NOT NULL,
  raw bytea,
  PRIMARY KEY (tenant_id, session_id, position),
  UNIQUE (tenant_id, session_id, record_key)
);`;

const histories: Migration = {
  version: 1,
  name: "histories",
  oldestUser: 1,
  sql: `
CREATE TABLE sessions (
  tenant_id text COLLATE "C" NOT NULL,
  session_id text COLLATE "C" NOT NULL,
  incarnation uuid NOT NULL,
  revision bigint NOT NULL DEFAULT 0,
  user_id text COLLATE "C" NOT NULL,
  agent_id text COLLATE "C",
  title text COLLATE "C",
  search text COLLATE "C" NOT NULL,
  created_at double precision,
  added_at double precision NOT NULL,
  log_newest double precision,
  newest double precision,
  last_active text COLLATE "C" NOT NULL,
  place bytea NOT NULL,
  state text COLLATE "C" NOT NULL,
  turns double precision NOT NULL,
  input_tokens double precision NOT NULL,
  output_tokens double precision NOT NULL,
  cache_read_tokens double precision NOT NULL,
  cache_write_tokens double precision NOT NULL,
  trace_end text NOT NULL,
  orchestration_end text NOT NULL,
  trace_size integer NOT NULL,
  orchestration_size integer NOT NULL,
  log_size integer NOT NULL,
  messages_first integer NOT NULL,
  messages_size integer NOT NULL,
  errors double precision,
  model text COLLATE "C",
  prompt text COLLATE "C",
  last_answer text COLLATE "C",
  usage_by_model text,
  directory text COLLATE "C",
  cache_write_1h_tokens double precision,
  imported text,
  PRIMARY KEY (tenant_id, session_id)
) WITH (fillfactor = 80);
CREATE INDEX sessions_by_activity ON sessions (last_active DESC, place);
CREATE INDEX sessions_of_tenant ON sessions (tenant_id, last_active DESC, place);
CREATE INDEX sessions_of_user ON sessions (user_id, last_active DESC, place);
CREATE INDEX sessions_not_idle ON sessions (last_active DESC, place) WHERE state <> 'idle';
CREATE INDEX sessions_of_folded_tenant ON sessions ((${folded("tenant_id")}), last_active DESC, place);
CREATE INDEX sessions_of_folder ON sessions ((${FOLDER_NAME}), last_active DESC, place) WHERE directory IS NOT NULL;
CREATE INDEX sessions_with_errors ON sessions (last_active DESC, place) WHERE errors IS DISTINCT FROM 0;
${recordTable(
  "trace_envelopes",
  `
  trace_id text COLLATE "C" NOT NULL,
  sequence double precision NOT NULL,
  instant double precision NOT NULL,`,
)}
${recordTable("orchestration_events")}
${recordTable("messages")}
${recordTable("session_log")}
CREATE TABLE orchestration_checkpoints (
  tenant_id text COLLATE "C" NOT NULL,
  session_id text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  event_count integer NOT NULL,
  record text NOT NULL,
  PRIMARY KEY (tenant_id, session_id)
);
`,
};

export const MIGRATIONS: readonly Migration[] = [histories];

export const LATEST_VERSION = MIGRATIONS.length;

/**
 * Accepts also a newer schema whose migrations allow it, so that versions run side by side during a rollout.
 * @throws SourceRefusedError that says what to run
 */
export async function checkSchema(query: RunQuery, schema: string): Promise<void> {
  const [row] = await query(
    `SELECT coalesce(max(version), 0) AS version, coalesce(max(oldest_user), 0) AS oldest FROM ${schema}.migrations`,
  );
  const version = Number(row?.version);
  if (version < LATEST_VERSION) {
    throw new SourceRefusedError(
      `The database's agent-inspector schema is version ${version}, and version ${LATEST_VERSION} is needed. ${MIGRATE}`,
    );
  }
  if (Number(row?.oldest) > LATEST_VERSION) {
    throw new SourceRefusedError(
      `The database's agent-inspector schema is version ${version}, which is too new for this version of ` +
        "agent-inspector. Update agent-inspector.",
    );
  }
}

import { TABLES } from "./postgres-database.js";

/** Into how many parts each table is divided. */
export const PARTITIONS = 4;

/**
 * The tables, distributed by tenant with what every PostgreSQL has: partitions. They have the rule that sharded databases have
 * too: what is unique has to hold the column by which one distributes.
 */
export async function partitionByTenant(run: (sql: string) => Promise<unknown>): Promise<void> {
  for (const table of TABLES) {
    await run(`
      ALTER TABLE agent_inspector.${table} RENAME TO ${table}_whole;
      CREATE TABLE agent_inspector.${table} (LIKE agent_inspector.${table}_whole INCLUDING DEFAULTS INCLUDING INDEXES)
        PARTITION BY HASH (tenant_id);
      DROP TABLE agent_inspector.${table}_whole;`);
    for (let part = 0; part < PARTITIONS; part++) {
      await run(`CREATE TABLE agent_inspector.${table}_${part}
        PARTITION OF agent_inspector.${table} FOR VALUES WITH (MODULUS ${PARTITIONS}, REMAINDER ${part})`);
    }
  }
}

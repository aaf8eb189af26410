import { TABLES } from "./postgres-database.js";

export const PARTITIONS = 4;

/** Partitions stand for sharding, as every PostgreSQL has them. Both have the same rule: a unique key contains the distribution column. */
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

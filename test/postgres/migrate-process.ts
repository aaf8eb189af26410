import { migratePostgres } from "../../src/postgres.js";

/** One of several processes that migrate at the same time. */
const { from, to } = await migratePostgres({ connectionString: process.argv[2] });
process.stdout.write(`from ${from} to ${to}\n`);

import { migratePostgres } from "../../src/postgres.js";

const { from, to } = await migratePostgres({ connectionString: process.argv[2] });
process.stdout.write(`from ${from} to ${to}\n`);

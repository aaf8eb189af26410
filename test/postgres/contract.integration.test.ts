import { describePostgresContract } from "../support/postgres-contract.js";
import { useDatabase } from "../support/postgres-database.js";

describePostgresContract("", useDatabase());

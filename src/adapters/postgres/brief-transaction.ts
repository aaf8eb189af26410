import type { ReadOptions } from "../../application/ports/record-stream.js";
import type { Database } from "./database.js";
import { isOutOfTime } from "./database-errors.js";
import type { RunQuery } from "./lease.js";

/**
 * A transaction whose statements end after so many milliseconds. Compiling them would take longer than they are worth.
 *
 * @param without a kind of plan that is not to be used
 * @returns `undefined` where a statement took longer
 */
export async function briefly<T>(
  database: Database,
  ms: number,
  without: "enable_seqscan" | "enable_bitmapscan",
  work: (query: RunQuery) => Promise<T>,
  options?: ReadOptions,
): Promise<T | undefined> {
  const off = ["jit", without].map((setting) => `set_config('${setting}', 'off', true)`).join(", ");
  try {
    return await database.transaction(async (query) => {
      await query(`SELECT set_config('statement_timeout', $1, true), ${off}`, [Math.max(1, Math.ceil(ms))]);
      return work(query);
    }, options);
  } catch (error) {
    if (isOutOfTime(error)) return undefined;
    throw error;
  }
}

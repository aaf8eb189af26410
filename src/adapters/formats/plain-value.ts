import { CUT_OFF, MOST_LEVELS } from "../../domain/json/json.js";

/** A record with more is an error of its format. */
const MOST_VALUES = 1_000_000;

/**
 * Calls foreign code, and copies the result as plain JSON data, so that no getter, proxy or iterator of it runs later.
 * @throws TypeError with the message of any error, also for a result with too many values
 */
export function plainResultOf<T>(work: () => T): T {
  try {
    const result = work();
    if (result instanceof Promise) {
      // Its rejection would end the process.
      result.catch(() => undefined);
      throw new TypeError("It returned a promise.");
    }
    return new PlainCopy().of(result, MOST_LEVELS) as T;
  } catch (error) {
    throw new TypeError(messageOf(error));
  }
}

class PlainCopy {
  #values = 0;

  of(value: unknown, levels: number): unknown {
    if (++this.#values > MOST_VALUES) throw new TypeError(`It returned more than ${MOST_VALUES} values.`);
    if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
    if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
    if (typeof value !== "object") return undefined;
    if (value instanceof Date) return value.getTime();
    if (levels === 0) return CUT_OFF;
    if (!Array.isArray(value))
      return Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, this.of(member, levels - 1)]),
      );
    const list: unknown[] = [];
    for (let i = 0; i < value.length; i++) list.push(this.of(value[i], levels - 1));
    return list;
  }
}

function messageOf(error: unknown): string {
  try {
    return String((error as Error).message).slice(0, 200);
  } catch {
    return "an unknown error";
  }
}

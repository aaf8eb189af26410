import { orderTrace, type TraceKeys, type TraceOrder } from "../../domain/trace/trace-order.js";
import { ownModule, type ReadingPool } from "../ports/reading-pool.js";
import { runInSlices } from "../threads/slices.js";

/** Sorting a shorter trace is faster than a thread's answer. */
const SHORT_TRACE = 10_000;

const OWN = ownModule(import.meta.url, "trace-orders");
const ORDER_TRACE = {
  module: OWN && new URL("../../domain/trace/trace-order.js", OWN).href,
  name: "orderTrace",
  steps: orderTrace,
};

/** Orders by trace keys, held while the keys are: a source reuses them while the trace is the same. */
export class TraceOrders {
  readonly #pool: ReadingPool;
  readonly #orders = new WeakMap<TraceKeys, Promise<TraceOrder>>();

  constructor(pool: ReadingPool) {
    this.#pool = pool;
  }

  of(keys: TraceKeys): Promise<TraceOrder> {
    const cached = this.#orders.get(keys);
    if (cached !== undefined) return cached;
    const order =
      keys.size <= SHORT_TRACE ? runInSlices(orderTrace(keys)) : this.#pool.run(ORDER_TRACE, keys);
    this.#orders.set(keys, order);
    order.catch(() => this.#orders.delete(keys)); // A failed thread is no error in the keys.
    return order;
  }
}

import { orderTrace, type TraceKeys, type TraceOrder } from "../../domain/trace/trace-order.js";
import { ownModule, type ReadingPool } from "../ports/reading-pool.js";
import { runInSlices } from "../threads/slices.js";

/** Maximum size of a trace that is sorted faster than a thread answers. */
const SHORT_TRACE = 10_000;

const OWN = ownModule(import.meta.url, "trace-orders");
const ORDER_TRACE = {
  module: OWN && new URL("../../domain/trace/trace-order.js", OWN).href,
  name: "orderTrace",
  steps: orderTrace,
};

/** The merged orders of traces, as long as their keys are in use: a source hands out the same keys while the trace is the same. */
export class TraceOrders {
  readonly #pool: ReadingPool;
  readonly #orders = new WeakMap<TraceKeys, Promise<TraceOrder>>();

  /** @param pool where long traces are sorted */
  constructor(pool: ReadingPool) {
    this.#pool = pool;
  }

  of(keys: TraceKeys): Promise<TraceOrder> {
    const known = this.#orders.get(keys);
    if (known !== undefined) return known;
    const order =
      keys.size <= SHORT_TRACE ? runInSlices(orderTrace(keys)) : this.#pool.run(ORDER_TRACE, keys);
    this.#orders.set(keys, order);
    order.catch(() => this.#orders.delete(keys)); // A failed thread does not mean that the keys are wrong.
    return order;
  }
}

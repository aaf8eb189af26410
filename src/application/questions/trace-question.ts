import type { InspectorDataSource } from "../ports/inspector-data-source.js";
import type { ReadingPool } from "../ports/reading-pool.js";
import type { SessionSource } from "../ports/session-source.js";
import { TraceOrders } from "../records/trace-orders.js";
import { lift } from "../sources/lift.js";
import { InProcessPool } from "../threads/in-process-pool.js";

export abstract class TraceQuestion {
  protected readonly source: SessionSource;
  protected readonly pool: ReadingPool;
  protected readonly orders: TraceOrders;

  /**
   * @param pool default parses, sorts and compares on the host's own event loop, in slices
   * @param orders cached orders of traces. Default is an empty cache
   */
  constructor(
    source: InspectorDataSource,
    pool: ReadingPool = new InProcessPool(),
    orders: TraceOrders = new TraceOrders(pool),
  ) {
    this.source = lift(source);
    this.pool = pool;
    this.orders = orders;
  }
}

/** A request that is not taken, and what its sender is told: no path and no cause. */
export class RefusedRequest extends Error {
  override readonly name = "RefusedRequest";
  readonly status: RefusalStatus;

  constructor(status: RefusalStatus, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** What may be sent again is 503. */
export type RefusalStatus = 400 | 403 | 405 | 413 | 415 | 500 | 503;

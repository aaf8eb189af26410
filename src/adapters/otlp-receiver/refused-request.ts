/** The message is for the sender, without a path or a cause. */
export class RefusedRequest extends Error {
  override readonly name = "RefusedRequest";
  readonly status: RefusalStatus;

  constructor(status: RefusalStatus, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

export type RefusalStatus = 400 | 403 | 405 | 413 | 415 | 500 | 503;

import type { ExportedSessions, ExportReadOptions, ExportReview, ExportSession } from "./export-session.js";

export class ReviewExport {
  readonly #exports: Pick<ExportSession, "review">;

  constructor(exports: Pick<ExportSession, "review">) {
    this.#exports = exports;
  }

  /**
   * @throws SessionNotFoundError for a session that the source does not know
   * @throws InvalidRequestError for a part that there is not
   */
  async execute(request: ExportedSessions, options: ExportReadOptions = {}): Promise<ExportReview> {
    return this.#exports.review(request, options);
  }
}

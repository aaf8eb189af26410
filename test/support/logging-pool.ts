import type { PostgresPool, PostgresStatement } from "../../src/postgres.js";

/** A pool that keeps the statements that are run, to explain them afterwards. */
export class LoggingPool implements PostgresPool {
  readonly statements: PostgresStatement[] = [];
  readonly #pool: PostgresPool;

  constructor(pool: PostgresPool) {
    this.#pool = pool;
  }

  async connect() {
    const client = await this.#pool.connect();
    const query = client.query.bind(client);
    return Object.assign(Object.create(client) as typeof client, {
      query: (statement: PostgresStatement) => {
        this.statements.push(statement);
        return query(statement);
      },
      release: (destroy?: boolean) => client.release(destroy),
    });
  }
}

/** The statement whose plan is asked for: without the cursor or the copy that it is wrapped in. */
export function explainable(text: string): string {
  return text
    .replace(/^DECLARE found NO SCROLL CURSOR FOR /, "")
    .replace(/^COPY \((.*)\) TO STDOUT \(FORMAT binary\)$/s, "$1");
}

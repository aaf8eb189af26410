import type { PostgresPool, PostgresStatement } from "../../src/postgres.js";

/** Collects the statements, to explain them afterwards. */
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

/** Removes the cursor or the copy around the statement. */
export function explainable(text: string): string {
  return text
    .replace(/^DECLARE found NO SCROLL CURSOR FOR /, "")
    .replace(/^COPY \((.*)\) TO STDOUT \(FORMAT binary\)$/s, "$1");
}

import pg from 'pg';

/** What pg calls on a query as its answers come; its types leave it out. */
interface Answered {
  name?: string;
  text: string;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
  handleReadyForQuery(connection: pg.Connection): void;
  handleError(error: Error, connection: pg.Connection): void;
}
type Connection = pg.Connection & {
  readonly submittedNamedStatements: Record<string, string>;
  execute(what: object): void;
  sync(): void;
};

class Part extends pg.Query {
  /** pg's own asks for the end of the statement, and so for an answer of its own, as well. */
  _getRows(connection: Connection): void {
    connection.execute({});
  }
}

/**
 * Statements of one transaction that are sent without waiting for each other, with one end for all of them: one write, one
 * answer, and PostgreSQL wakes once. After one that fails none of the rest is run, and all of those fail with it.
 */
class Pipeline extends pg.Query {
  declare name: string | undefined;
  declare text: string;
  readonly #parts: readonly (Part & Answered)[];
  #answered = 0;

  constructor(parts: readonly (Part & Answered)[]) {
    super({ text: '' });
    this.#parts = parts;
    this.#turnTo(0);
  }

  override submit = (connection: pg.Connection): void => {
    connection.stream.cork();
    for (const part of this.#parts) {
      const problem: unknown = part.submit(connection);
      // A name with two texts: nothing of this transaction may stand.
      if (problem instanceof Error) connection.stream.destroy(problem);
    }
    (connection as Connection).sync();
    connection.stream.uncork();
  };

  handleRowDescription(message: unknown): void {
    this.#parts[this.#answered]!.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.#parts[this.#answered]!.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, connection: pg.Connection): void {
    const part = this.#parts[this.#answered]!;
    part.handleCommandComplete(message, connection);
    this.#turnTo(this.#answered + 1);
    part.handleReadyForQuery(connection);
  }

  handleError(error: Error, connection: Connection): void {
    const unanswered = this.#parts.slice(this.#answered);
    this.#answered = this.#parts.length;
    for (const part of unanswered) {
      // Those behind the one that failed were not even parsed.
      if (part.name) delete connection.submittedNamedStatements[part.name];
      part.handleError(error, connection);
    }
  }

  handleReadyForQuery(): void {
    // Each part has ended itself.
  }

  /** pg notes under the active query's name what has been parsed. */
  #turnTo(index: number): void {
    this.#answered = index;
    const part = this.#parts[index];
    this.name = part?.name;
    this.text = part?.text ?? '';
  }
}

/** Sends what is asked of it between two turns of the event loop in one write, over a connection that pipelines. */
export function pipelined(client: pg.PoolClient) {
  let waiting: (Part & Answered)[] = [];

  function flush(): void {
    if (waiting.length === 0) return;
    const parts = waiting;
    waiting = [];
    client.query(new Pipeline(parts));
  }

  function ask(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    // After all promises that are settled by now have been followed.
    if (waiting.length === 0) process.nextTick(flush);
    const config = { ...statement, queryMode: 'extended' };
    const answer = new Promise<pg.QueryResult>((resolve, reject) => {
      const part = new Part(config, (error, result) =>
        error ? reject(error) : resolve(result as unknown as pg.QueryResult),
      );
      waiting.push(part as Part & Answered);
    });
    return answer.catch((error: Error) => {
      // Where it was asked, not where its answer was read.
      Error.captureStackTrace(error);
      throw error;
    });
  }

  return { ask, flush };
}

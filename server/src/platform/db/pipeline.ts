import pg from 'pg';

/** Methods that pg calls on a query when answers come. pg's types leave them out. */
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
  /** pg's own version also sends a sync, which would ask for a separate end and answer of this statement. */
  _getRows(connection: Connection): void {
    connection.execute({});
  }
}

/**
 * Statements of one transaction, sent together without waiting for each other, with one sync at the end. That is one write, one answer, and
 * PostgreSQL wakes once. After a statement fails, PostgreSQL skips the rest, and all of them fail with the same error.
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
      // One name has two texts. Nothing of this transaction may be committed, so the connection is cut.
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
      // PostgreSQL did not even parse the statements behind the failed one.
      if (part.name) delete connection.submittedNamedStatements[part.name];
      part.handleError(error, connection);
    }
  }

  handleReadyForQuery(): void {
    // Each part has already ended itself.
  }

  /** pg records each parsed statement under the name of the active query, so the pipeline takes the name of its current part. */
  #turnTo(index: number): void {
    this.#answered = index;
    const part = this.#parts[index];
    this.name = part?.name;
    this.text = part?.text ?? '';
  }
}

/** Gathers the statements that are asked for between two turns of the event loop, and sends them in one write. */
export function pipelined(client: pg.PoolClient) {
  let waiting: (Part & Answered)[] = [];

  function flush(): void {
    if (waiting.length === 0) return;
    const parts = waiting;
    waiting = [];
    client.query(new Pipeline(parts));
  }

  function ask(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    // Runs after all promises that are settled by now have continued and asked their statements.
    if (waiting.length === 0) process.nextTick(flush);
    const config = { ...statement, queryMode: 'extended' };
    const answer = new Promise<pg.QueryResult>((resolve, reject) => {
      const part = new Part(config, (error, result) =>
        error ? reject(error) : resolve(result as unknown as pg.QueryResult),
      );
      waiting.push(part as Part & Answered);
    });
    return answer.catch((error: Error) => {
      // The stack trace shows where the statement was asked, not where its answer was read.
      Error.captureStackTrace(error);
      throw error;
    });
  }

  return { ask, flush };
}

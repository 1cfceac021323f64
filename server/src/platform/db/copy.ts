import pg from 'pg';

/** Methods that pg calls on our query. pg's types leave out COPY. */
type Connection = pg.Connection & {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
};

/** One COPY on a connection. `done` ends with the server's answer or error. */
abstract class Copy extends pg.Query {
  readonly done: Promise<void>;
  readonly #text: string;
  #end!: { readonly resolve: () => void; readonly reject: (error: Error) => void };

  constructor(text: string) {
    super({ text });
    this.#text = text;
    this.done = new Promise((resolve, reject) => (this.#end = { resolve, reject }));
  }

  override submit = (connection: pg.Connection): void => (connection as Connection).query(this.#text);
  handleError(error: Error): void {
    this.#end.reject(error);
  }
  handleReadyForQuery(): void {
    this.#end.resolve();
  }
  handleCommandComplete(): void {
    // The statement ends with ReadyForQuery, not here.
  }
}

class CopyOut extends Copy {
  readonly #take: (row: Buffer) => Promise<void> | undefined;

  constructor(text: string, take: (row: Buffer) => Promise<void> | undefined) {
    super(text);
    this.#take = take;
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }, { stream }: pg.Connection): void {
    const busy = this.#take(chunk);
    if (!busy) return;
    stream.pause();
    busy.then(
      () => stream.resume(),
      (error: Error) => stream.destroy(error),
    );
  }
}

class CopyIn extends Copy {
  readonly #rows: Buffer;

  constructor(text: string, rows: Buffer) {
    super(text);
    this.#rows = rows;
  }

  handleCopyInResponse(connection: Connection): void {
    connection.sendCopyFromChunk(this.#rows);
    connection.endCopyFrom();
  }
}

/**
 * Reads the rows of a `COPY … TO STDOUT` in text format: one Buffer a row, with its line end. A row's Buffer is valid only until `take`
 * returns. When `take` returns a promise, reading pauses until it is fulfilled; some rows that have already come still follow. When the
 * promise is rejected, the connection is cut.
 */
export async function copyOut(
  client: pg.PoolClient,
  text: string,
  take: (row: Buffer) => Promise<void> | undefined,
): Promise<void> {
  await client.query(new CopyOut(text, take)).done;
}

/** Writes rows in COPY's text format with a `COPY … FROM STDIN`. */
export async function copyIn(client: pg.PoolClient, text: string, rows: Buffer): Promise<void> {
  await client.query(new CopyIn(text, rows)).done;
}

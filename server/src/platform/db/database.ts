import type { Socket } from 'node:net';
import pg from 'pg';
import { Sql } from 'sql-template-tag';
import { SECOND } from '../clock.ts';
import { isRefusal } from '../refusal.ts';
import { within } from '../within.ts';
import { arrayText } from './array.ts';
import { copyIn, copyOut } from './copy.ts';
import { pipelined } from './pipeline.ts';

export { default as sql, join, empty, raw } from 'sql-template-tag';
export { Sql } from 'sql-template-tag';

// int8 as bigint: ids and money keep every digit. Counts are cast to int in SQL.
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === pg.types.builtins.INT8) return BigInt;
    if (oid === pg.types.builtins.DATE) return (text: string) => text;
    return pg.types.getTypeParser(oid, format as 'text');
  }) as typeof pg.types.getTypeParser,
};

/** Something that runs SQL: the pool itself (one statement each) or a transaction. */
export interface Queryable {
  query<Row>(statement: Sql): Promise<Row[]>;
}

/** A transaction. Commands that write take it, so that all they write commits together. */
export interface Tx extends Queryable {
  readonly isTransaction: true;
  /** Runs a write in its turn without waiting for it: a failure fails the whole transaction at its end. */
  send(statement: Sql): void;
  /** Rows of a `COPY … TO STDOUT` without values, one Buffer a row; a promise that `take` answers holds up the next ones. */
  copyOut(statement: Sql, take: (row: Buffer) => Promise<void> | undefined): Promise<void>;
  /** Rows in COPY's text format, by a `COPY … FROM STDIN` without values. */
  copyIn(statement: Sql, rows: Buffer): Promise<void>;
}

/**
 * A statement of the hot path: parsed and planned once a connection under its name (measured: 3,100 against 4,200 orders
 * a second on one connection). One name, one text.
 */
export function hot(name: string, statement: Sql): Sql {
  return Object.assign(statement, { statementName: name });
}

/** Connections of one use. */
interface Connections extends Queryable {
  /**
   * Runs `work` in one transaction. Serialization failures and deadlocks (40001, 40P01) retry it whole, so
   * `work` must have no effect outside the database. A returned Refusal rolls back. `silence` (ms) is how long the
   * database may take over one statement where the work itself sets a longer statement_timeout.
   */
  tx<Result>(work: (tx: Tx) => Promise<Result>, silence?: number): Promise<Result>;
}

export interface Database extends Connections {
  /**
   * For the calls a merchant's customer waits for: a few connections that are kept. No sweep stands before them, and they
   * have their statements planned (the first uses of a connection take ten times as long).
   */
  readonly calls: Connections;
  readonly pool: pg.Pool;
  /** Waits for what is under way, `CLOSING` ms at most; then the connections are cut and PostgreSQL rolls back. */
  close(): Promise<void>;
}

/** Longest times of one connection, ms. */
export interface Limits {
  /** To connect, and to get a free connection of the pool. */
  readonly connect: number;
  readonly statement: number;
  /** Without an answer for so long while one is waited for, the connection is cut: the host or the network is gone. */
  readonly silence: number;
  /** A node that is lost inside a transaction keeps its locks for so long at most. */
  readonly idleInTransaction: number;
}

const LIMITS: Limits = {
  connect: 10 * SECOND,
  statement: 30 * SECOND,
  silence: 35 * SECOND,
  idleInTransaction: 20 * SECOND,
};
const LONGEST_LOCK = 10 * SECOND;
const KEEPALIVE = 10 * SECOND;
const CLOSING = 2 * SECOND;

/**
 * Sent as statements and not when connecting: poolers refuse start-up parameters they do not know. The last four let
 * PostgreSQL notice within 20 s that the node's host is gone. Statements here take milliseconds; compiling one takes a hundred
 * (measured: adding up statistics, three times as long with it).
 */
const sessionLimits = ({ statement, idleInTransaction }: Limits, name: string) => `
  set application_name = '${name}';
  set jit = off; set statement_timeout = ${statement}; set lock_timeout = ${LONGEST_LOCK};
  set idle_in_transaction_session_timeout = ${idleInTransaction};
  set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 3; set tcp_keepalives_count = 3;
  set tcp_user_timeout = ${idleInTransaction}`;

/** pg's types leave it out. */
const socketOf = (client: pg.ClientBase) =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

/** pg reads it at each query; its types do not know it yet. */
type Pipelined = pg.PoolClient & { pipeline?: boolean };

const IN_FAILED_TRANSACTION = '25P02';
const RETRIED = new Set(['40001', '40P01']);
/** A node's losers try one at a time, so that these are races against other nodes only. */
const MAX_TRIES = 30;
const LONGEST_TURN = 1_000;
/** Creates of either direction and one look-up: more are never under way at once. */
const CALLS = 3;

function sqlState(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Name of the violated constraint, if the error is a constraint violation. */
export function violated(error: unknown): string | undefined {
  return error instanceof Error && 'constraint' in error && typeof error.constraint === 'string'
    ? error.constraint
    : undefined;
}

export interface DatabaseOptions {
  readonly maxConnections?: number;
  /** Letters, digits, spaces: how PostgreSQL's views name the connections. */
  readonly applicationName?: string;
  readonly onIdleError?: (error: Error) => void;
  readonly limits?: Partial<Limits>;
  /** Whether hot statements are named; off where a pooler shares connections between transactions. */
  readonly preparedStatements?: boolean;
  /** Test lanes only: called before each commit; a thrown error stands for one the database might have raised. */
  readonly beforeCommit?: () => void;
}

export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const limits = { ...LIMITS, ...options.limits };
  const clients = new Set<pg.ClientBase>();
  let isClosing = false;
  const openPool = (config: pg.PoolConfig): pg.Pool => {
    const inUse = new Set<pg.ClientBase>();
    async function prepare(client: pg.ClientBase): Promise<void> {
      const stream = socketOf(client);
      inUse.add(client);
      clients.add(client);
      stream.setTimeout(limits.silence);
      stream.on('timeout', () => {
        if (inUse.has(client)) stream.destroy(new Error('the database did not answer in time'));
      });
      stream.on('close', () => clients.delete(client));
      await client.query(sessionLimits(limits, options.applicationName ?? 'sangam'));
    }
    const pool = new pg.Pool({
      ...config,
      connectionString: url,
      types,
      connectionTimeoutMillis: limits.connect,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEPALIVE,
      // pg waits for its end; its types do not know.
      onConnect: prepare as (client: pg.ClientBase) => void,
    });
    // A connection dropped while idle (PostgreSQL restarted) is replaced at the next query.
    pool.on('error', (error) => {
      if (!isClosing) options.onIdleError?.(error);
    });
    // One dropped between two statements of a transaction has nobody who waits for an answer: the next statement fails with
    // it, and without a listener the process would.
    pool.on('connect', (client) => client.on('error', () => undefined));
    pool.on('acquire', (client) => inUse.add(client));
    pool.on('release', (_error, client) => inUse.delete(client));
    return pool;
  };
  const pool = openPool({ max: options.maxConnections ?? 8 });
  const callsPool = openPool({ max: CALLS, idleTimeoutMillis: 0 });

  const named = options.preparedStatements ?? true;
  const textOf = (statement: Sql & { readonly statementName?: string }): pg.QueryConfig => {
    const { text, statementName } = statement;
    const values = statement.values.map((value) =>
      Array.isArray(value) ? (arrayText(value) ?? value) : value,
    );
    const query = { text, values, types };
    return named && statementName !== undefined ? { ...query, name: statementName } : query;
  };
  const bare = (text: string) => textOf(hot(text, new Sql([text], [])));
  const [begin, commit, rollback] = [bare('begin'), bare('commit'), bare('rollback')] as const;

  async function once<Result>(
    from: pg.Pool,
    work: (tx: Tx) => Promise<Result>,
    silence: number,
  ): Promise<Result> {
    const client: Pipelined = await from.connect();
    socketOf(client).setTimeout(silence);
    // Statements follow each other to the server without waiting for answers, where the command does not need them.
    client.pipeline = true;
    const { ask, flush } = pipelined(client);
    const sent: Promise<unknown>[] = [];
    let failure: unknown;
    const send = (statement: pg.QueryConfig): Promise<pg.QueryResult> => {
      const outcome = ask(statement);
      outcome.catch((error: unknown) => (failure ??= error));
      sent.push(outcome);
      return outcome;
    };
    let broken: Error | undefined;
    try {
      void send(begin);
      const result = await work({
        isTransaction: true,
        query: async (statement) => (await ask(textOf(statement))).rows,
        send: (statement) => void send(textOf(statement)),
        copyOut: ({ text }, take) => {
          flush();
          return copyOut(client, text, take);
        },
        copyIn: ({ text }, rows) => {
          flush();
          return copyIn(client, text, rows);
        },
      });
      if (!isRefusal(result)) options.beforeCommit?.();
      // After a failed statement 'commit' rolls back, and the failure is told here.
      const end = send(isRefusal(result) ? rollback : commit);
      await Promise.all(sent);
      if (!isRefusal(result) && (await end).command !== 'COMMIT')
        throw new Error('nothing was committed: a statement failed and its failure was passed over');
      return result;
    } catch (error) {
      flush();
      await client.query('rollback').catch((rollbackError: Error) => {
        broken = rollbackError;
      });
      // What was waited for may only have met the end of a transaction that a sent statement had broken.
      throw sqlState(error) === IN_FAILED_TRANSACTION ? (failure ?? error) : error;
    } finally {
      client.pipeline = false;
      socketOf(client).setTimeout(limits.silence);
      client.release(broken);
    }
  }

  let turn: Promise<unknown> = Promise.resolve();
  /** Transactions that lost a race follow one another: all at once they would only lose to each other again. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    // Whatever holds the turn up holds nobody up for long.
    const patience = new Promise((resolve) => {
      setTimeout(resolve, LONGEST_TURN).unref();
    });
    const result = Promise.race([turn, patience]).then(work);
    turn = result.catch(() => undefined);
    return result;
  }

  const connections = (from: pg.Pool): Connections => ({
    // A statement alone is a transaction of its own, aborted whole by what is retried.
    query: (statement) => retried(async () => (await from.query(textOf(statement))).rows),
    tx: (work, silence = limits.silence) => retried(() => once(from, work, silence), inTurn),
  });
  return {
    ...connections(pool),
    calls: connections(callsPool),
    pool,
    close: async () => {
      isClosing = true;
      const ended = Promise.all([pool.end(), callsPool.end()]);
      await within(CLOSING, ended);
      for (const client of clients) socketOf(client).destroy(new Error('the node stops'));
      // A connection that is only being made ends by its own time limit.
      await within(CLOSING / 4, ended);
    },
  };
}

/** Tries again what was aborted for another transaction's sake; `again` runs every try after the first. */
async function retried<Result>(
  work: () => Promise<Result>,
  again: (work: () => Promise<Result>) => Promise<Result> = (each) => each(),
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await (attempt === 1 ? work() : again(work));
    } catch (error) {
      if (attempt >= MAX_TRIES || !RETRIED.has(sqlState(error) ?? '')) throw error;
      // Jittered, so that two transactions that collided do not meet again.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 2 ** Math.min(attempt, 7)));
    }
  }
}

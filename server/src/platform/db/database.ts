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

// int8 becomes bigint, so that ids and money keep every digit. SQL casts counts to int.
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

/** A transaction. Commands that write take it, so that all their writes commit together. */
export interface Tx extends Queryable {
  readonly isTransaction: true;
  /** Sends a write in its turn and does not wait for the answer. A failure fails the whole transaction at its end. */
  send(statement: Sql): void;
  /** Runs a `COPY … TO STDOUT` without values, one Buffer a row. When `take` returns a promise, the next rows wait for it. */
  copyOut(statement: Sql, take: (row: Buffer) => Promise<void> | undefined): Promise<void>;
  /** Writes rows in COPY's text format, with a `COPY … FROM STDIN` without values. */
  copyIn(statement: Sql, rows: Buffer): Promise<void>;
}

/**
 * Marks a statement of the hot path. Each connection parses and plans it once, under its name (measured on one connection: 4,200 orders a
 * second with it, 3,100 without). The plan is for any values, so the name is only for statements that find their rows by an index whatever
 * the values are. One name must always have the same text. Throws for a name longer than PostgreSQL keeps: it would be cut to another's.
 */
export function hot(name: string, statement: Sql): Sql {
  if (name.length > LONGEST_NAME) throw new Error(`the name of a statement is too long: ${name}`);
  return Object.assign(statement, { statementName: name });
}

/**
 * How a statement is planned: for its values, or once for any values. Left to choose, PostgreSQL plans a hot statement for its values each time, because the plan for any values
 * covers all months' partitions and looks dearer. Planning then took most of its processor time: 18 ms for a statement that ran 1 ms.
 */
type Plans = 'fitted' | 'kept';

/**
 * The settings for it, which hold for a transaction: a pooler may share the connection. A kept plan reads no whole table: one that was made while a table was empty did so until PostgreSQL had counted the
 * table's rows (measured in the first minute of an empty database: 158 messages a second, 900 later).
 */
const SETTINGS: Readonly<Record<Plans, readonly string[]>> = {
  fitted: ['set local plan_cache_mode to default', 'set local enable_seqscan to default'],
  kept: ['set local plan_cache_mode to force_generic_plan', 'set local enable_seqscan to off'],
};

/** A group of connections with one purpose. */
interface Connections extends Queryable {
  /**
   * Runs `work` in one transaction and tries it again whole on a serialization failure or deadlock (40001, 40P01). So `work` must have no
   * effect outside the database. A returned Refusal rolls back. `silence` (ms) is how long the database may take for one statement, for
   * work that sets a longer statement_timeout itself.
   */
  tx<Result>(work: (tx: Tx) => Promise<Result>, silence?: number): Promise<Result>;
}

export interface Database extends Connections {
  /**
   * A few connections kept for the calls that a merchant's customer waits for. Background sweeps do not use them. Their statements are
   * already planned, because the first uses of a connection take ten times as long.
   */
  readonly calls: Connections;
  /** A few connections kept for evidence that money moved: calls of monitors, and credits that rails report. */
  readonly evidence: Connections;
  readonly pool: pg.Pool;
  /** Waits at most `CLOSING` ms for work under way. Then it cuts the connections, and PostgreSQL rolls back. */
  close(): Promise<void>;
}

/** Longest times of one connection, in ms. */
export interface Limits {
  /** To connect, and to get a free connection from the pool. */
  readonly connect: number;
  readonly statement: number;
  /** How long an answer may take. After that the connection is cut, because the host or the network is gone. */
  readonly silence: number;
  /** How long a transaction may stay idle. It limits how long the locks of a lost node last. */
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
 * Sent as statements and not at connecting, because poolers refuse start-up parameters they do not know. The last four let PostgreSQL
 * notice within 20 s that the node's host is gone. jit is off: our statements take milliseconds, compiling takes a hundred (measured:
 * statistics took three times as long with jit).
 */
const sessionLimits = ({ statement, idleInTransaction }: Limits, name: string) => `
  set application_name = '${name}';
  set jit = off; set statement_timeout = ${statement}; set lock_timeout = ${LONGEST_LOCK};
  set idle_in_transaction_session_timeout = ${idleInTransaction};
  set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 3; set tcp_keepalives_count = 3;
  set tcp_user_timeout = ${idleInTransaction}`;

/** pg's types leave out the socket. */
const socketOf = (client: pg.ClientBase) =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

/** pg reads `pipeline` at each query. Its types do not know it yet. */
type Pipelined = pg.PoolClient & { pipeline?: boolean };

const LONGEST_NAME = 63;
const IN_FAILED_TRANSACTION = '25P02';
const RETRIED = new Set(['40001', '40P01']);
/** Tries of one transaction. A node retries its own losers one after another, so that later races are only against other nodes. */
const MAX_TRIES = 30;
const LONGEST_TURN = 1_000;
/** Connections for calls: one for creates of each direction and one for a look-up. More are never under way at once. */
const CALLS = 3;
/** Connections for evidence. As many calls of monitors are under way at once. */
export const EVIDENCE = 4;

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
  /** Letters, digits and spaces. PostgreSQL's views show the connections under this name. */
  readonly applicationName?: string;
  readonly onIdleError?: (error: Error) => void;
  readonly limits?: Partial<Limits>;
  /** Whether hot statements are prepared by name. Off where a pooler shares connections between transactions. */
  readonly preparedStatements?: boolean;
  /** Only for tests: called before each commit. An error thrown here stands for an error that the database might have raised. */
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
      // pg waits for the returned promise; its types do not say so.
      onConnect: prepare as (client: pg.ClientBase) => void,
    });
    // A connection dropped while idle (PostgreSQL restarted) is replaced at the next query.
    pool.on('error', (error) => {
      if (!isClosing) options.onIdleError?.(error);
    });
    // A connection may break between two statements of a transaction, when nobody waits for an answer. The next statement then fails.
    // Without this listener the process would end.
    pool.on('connect', (client) => client.on('error', () => undefined));
    pool.on('acquire', (client) => inUse.add(client));
    pool.on('release', (_error, client) => inUse.delete(client));
    return pool;
  };
  const pool = openPool({ max: options.maxConnections ?? 8 });
  const callsPool = openPool({ max: CALLS, idleTimeoutMillis: 0 });
  const evidencePool = openPool({ max: EVIDENCE, idleTimeoutMillis: 0 });

  const named = options.preparedStatements ?? true;
  const nameOf = ({ statementName }: Sql & { readonly statementName?: string }) =>
    named ? statementName : undefined;
  const textOf = (statement: Sql): pg.QueryConfig => {
    const { text } = statement;
    const name = nameOf(statement);
    const values = statement.values.map((value) =>
      Array.isArray(value) ? (arrayText(value) ?? value) : value,
    );
    const query = { text, values, types };
    return name === undefined ? query : { ...query, name };
  };
  const bare = (text: string) => textOf(hot(text, new Sql([text], [])));
  const [begin, commit, rollback] = [bare('begin'), bare('commit'), bare('rollback')] as const;
  const settingsOf = { fitted: SETTINGS.fitted.map(bare), kept: SETTINGS.kept.map(bare) };

  async function once<Result>(
    from: pg.Pool,
    work: (tx: Tx) => Promise<Result>,
    silence: number,
  ): Promise<Result> {
    const client: Pipelined = await from.connect();
    socketOf(client).setTimeout(silence);
    // Statements go to the server without waiting for earlier answers, unless the command needs those answers.
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
    let using: Plans = 'fitted';
    /** The statement as it is sent, after a change of plans if it needs one. */
    const planned = (statement: Sql): pg.QueryConfig => {
      const fitting = nameOf(statement) === undefined ? 'fitted' : 'kept';
      // It fails only behind a failed statement, which fails the transaction.
      if (fitting !== using) for (const setting of settingsOf[fitting]) ask(setting).catch(() => undefined);
      using = fitting;
      return textOf(statement);
    };
    let broken: Error | undefined;
    try {
      void send(begin);
      const result = await work({
        isTransaction: true,
        query: async (statement) => (await ask(planned(statement))).rows,
        send: (statement) => void send(planned(statement)),
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
      // After a failed statement 'commit' rolls back. The failure is thrown here.
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
      // A later statement may only report the aborted transaction. Throw the first failure instead, which aborted it.
      throw sqlState(error) === IN_FAILED_TRANSACTION ? (failure ?? error) : error;
    } finally {
      client.pipeline = false;
      socketOf(client).setTimeout(limits.silence);
      client.release(broken);
    }
  }

  let turn: Promise<unknown> = Promise.resolve();
  /** Transactions that lost a race are tried one after another. All at once they would lose to each other again. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    // A slow transaction holds up the next one for at most LONGEST_TURN.
    const patience = new Promise((resolve) => {
      setTimeout(resolve, LONGEST_TURN).unref();
    });
    const result = Promise.race([turn, patience]).then(work);
    turn = result.catch(() => undefined);
    return result;
  }

  const connections = (from: pg.Pool): Connections => ({
    // A single statement is a transaction of its own. When it is aborted, nothing of it remains, so it may be tried again.
    query: <Row>(statement: Sql) =>
      retried(async () =>
        nameOf(statement) === undefined
          ? (await from.query(textOf(statement))).rows
          : once(from, (tx) => tx.query<Row>(statement), limits.silence),
      ),
    tx: (work, silence = limits.silence) => retried(() => once(from, work, silence), inTurn),
  });
  return {
    ...connections(pool),
    calls: connections(callsPool),
    evidence: connections(evidencePool),
    pool,
    close: async () => {
      isClosing = true;
      const ended = Promise.all([pool, callsPool, evidencePool].map((each) => each.end()));
      await within(CLOSING, ended);
      for (const client of clients) socketOf(client).destroy(new Error('the node stops'));
      // A connection that is still being opened ends by its own time limit.
      await within(CLOSING / 4, ended);
    },
  };
}

/** Tries `work` again after a serialization failure or deadlock. `again` runs every try after the first. */
async function retried<Result>(
  work: () => Promise<Result>,
  again: (work: () => Promise<Result>) => Promise<Result> = (each) => each(),
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await (attempt === 1 ? work() : again(work));
    } catch (error) {
      if (attempt >= MAX_TRIES || !RETRIED.has(sqlState(error) ?? '')) throw error;
      // A random delay, so that two transactions that collided do not collide again.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 2 ** Math.min(attempt, 7)));
    }
  }
}

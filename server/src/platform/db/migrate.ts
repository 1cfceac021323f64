import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const OLDEST_SUPPORTED = 15;
/** An arbitrary key for an advisory lock. Migrations, the granting of rights and new partitions take it. */
const LOCK_KEY = 7_426_001;
const DEFAULT_FOLDER = fileURLToPath(new URL('../../../migrations', import.meta.url));

interface Migration {
  name: string;
  sql: string;
  sha256: string;
}

/**
 * Applies the new files of server/migrations in order, each in its own transaction, and answers their names. Forward only. Two nodes may
 * start at once: the transaction holds the lock, not the session, because a pooler gives a session to somebody else. Under the lock each
 * file is looked up again.
 */
export async function migrate(url: string, folder = DEFAULT_FOLDER): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const client = new pg.Client({ connectionString: url, application_name: 'sangam-migrate' });
  await client.connect();
  try {
    await refuseOldServer(client);
    if (!(await mayCreate(client))) {
      await refuseMissing(client, migrations);
      return [];
    }
    await inLockedTransaction(client, async () => {
      await client.query(`create table if not exists schema_migrations (
        name text primary key,
        sha256 text not null,
        applied_at timestamptz not null default now()
      )`);
    });
    await refuseOtherHistory(client, migrations);

    const applied: string[] = [];
    for (const migration of migrations) {
      const isNew = await inLockedTransaction(client, () => applyUnlessApplied(client, migration));
      if (isNew) applied.push(migration.name);
    }
    return applied;
  } finally {
    await client.end();
  }
}

/** Whether the role may create tables. The application's role may be denied that. */
async function mayCreate(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    `select has_schema_privilege(current_schema(), 'create') as may`,
  );
  return rows[0]!.may;
}

async function refuseMissing(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  const known = await client.query<{ made: boolean }>(
    `select to_regclass('schema_migrations') is not null as made`,
  );
  const { rows } = known.rows[0]!.made
    ? await client.query<{ name: string }>('select name from schema_migrations')
    : { rows: [] };
  const applied = new Set(rows.map(({ name }) => name));
  const missing = migrations.find(({ name }) => !applied.has(name));
  if (missing)
    throw new Error(
      `The database lacks the migration ${missing.name}, and the role of DATABASE_URL may not make tables: start a node with DATABASE_OWNER_URL first.`,
    );
}

async function applyUnlessApplied(client: pg.Client, { name, sql, sha256 }: Migration): Promise<boolean> {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migrations where name >= $1 order by name limit 1',
    [name],
  );
  const [known] = rows;
  if (known?.name === name) {
    if (known.sha256 === sha256) return false;
    throw new Error(`Migration ${name} has been changed since it was applied; write a new file instead.`);
  }
  if (known)
    throw new Error(
      `Migration ${name} is new, but ${known.name} is applied already; give it a later number.`,
    );
  try {
    await client.query(sql);
  } catch (cause) {
    throw new Error(`Migration ${name} failed: ${(cause as Error).message}${positionOf(cause, sql)}`, {
      cause,
    });
  }
  await client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [name, sha256]);
  return true;
}

/**
 * Refuses a database with applied files that we do not have. A name after our last file is allowed: a newer node applied it, and an older
 * node may start beside it.
 */
async function refuseOtherHistory(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  const ours = new Set(migrations.map(({ name }) => name));
  const last = migrations.at(-1)?.name ?? '';
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations order by name');
  const missing = rows.find(({ name }) => name < last && !ours.has(name));
  if (missing)
    throw new Error(
      `The database has the migration ${missing.name}, which no longer exists: it was made by an older development version. ` +
        'Start with an empty database: remove the data folder (./data), or name another database by DATABASE_URL.',
    );
}

/** Whether a newer node has applied files after our last one. */
export async function isNewerThanOurs(client: pg.Client): Promise<boolean> {
  const last = (await readMigrations(DEFAULT_FOLDER)).at(-1)!.name;
  const { rows } = await client.query('select from schema_migrations where name > $1 limit 1', [last]);
  return rows.length > 0;
}

async function inLockedTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock($1)', [LOCK_KEY]);
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num');
  const major = Math.floor(Number(rows[0]?.server_version_num) / 10_000);
  if (major < OLDEST_SUPPORTED) {
    throw new Error(
      `PostgreSQL ${major} is too old: DATABASE_URL must name version ${OLDEST_SUPPORTED} or later.`,
    );
  }
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const numbers = new Set<string>();
  for (const name of names) {
    const number = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1];
    if (!number) throw new Error(`Migration ${name} is not named NNNN_name.sql.`);
    if (numbers.has(number)) throw new Error(`Two migrations have the number ${number}.`);
    numbers.add(number);
  }
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8');
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/** Where in the file the error is, as a line number. PostgreSQL counts characters from the start of the file. */
function positionOf(cause: unknown, sql: string): string {
  const position = Number((cause as { position?: string }).position);
  return position > 0 ? ` (line ${sql.slice(0, position).split('\n').length})` : '';
}

import pg from 'pg';
import { isNewerThanOurs } from './migrate.ts';

/** The application's role in an embedded database and in tests. */
export const APPLICATION_ROLE = 'sangam_app';

/**
 * Sealed tables: the application reads them and adds rows, but deletes none and changes only the listed columns. In `approvals` a decision
 * sets its columns, and a trigger allows that once. A beneficiary can only be removed.
 */
const SEALED: Readonly<Record<string, readonly string[]>> = {
  audit_log: [],
  audit_blocks: [],
  user_control_changes: [],
  order_events: [],
  postings: [],
  ledger_entries: [],
  approvals: ['status', 'decided_by', 'decided_at', 'decide_reason', 'result'],
  beneficiaries: ['removed_at'],
  withdrawals: [],
  settlement_asked: [],
  clear_requests: [],
  invoice_months: [],
  invoices: [],
  invoice_lines: [],
  restorations: [],
};

/** Tables that only the owner writes, because they decide which rows may be missing from other tables. */
const READ_ONLY = ['archives', 'archive_frames', 'archived_orders', 'archived_events', 'archive_touches'];

/** The first version of PostgreSQL with the right MAINTAIN, which includes analyzing a table. */
const HAS_MAINTAIN = 170_000;
/** The lock of migrations, so that rights are granted after them. */
const LOCK_KEY = 7_426_001;

interface Relation {
  readonly name: string;
  readonly isPartition: boolean;
  readonly isSequence: boolean;
  /** The rights of the application's role now, and the columns on which it has 'update' alone. */
  readonly has: readonly string[];
  readonly updates: readonly string[];
}

/**
 * Gives the application's role the rights it needs on the existing tables and takes away all others. Changes nothing where the rights are
 * already right. The role reaches partitions through their tables. Changes nothing either after a newer node has migrated: SEALED here does
 * not name the tables that the newer node seals.
 */
export async function grantRights(ownerUrl: string, role: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'sangam-rights' });
  await client.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [LOCK_KEY]);
    if (await isNewerThanOurs(client)) return;
    const name = pg.escapeIdentifier(role);
    const version = await client.query<{ number: string }>(
      `select current_setting('server_version_num') as number`,
    );
    const maintain = Number(version.rows[0]!.number) >= HAS_MAINTAIN ? ['MAINTAIN'] : [];
    for (const relation of await relationsOf(client, role, maintain)) {
      const wanted = wantedOf(relation, maintain);
      const updates = relation.isPartition ? [] : (SEALED[relation.name] ?? []);
      if (isSame(relation.has, wanted) && isSame(relation.updates, updates)) continue;
      const columns = updates.length > 0 ? [`UPDATE (${updates.join(', ')})`] : [];
      const on = `on ${relation.isSequence ? 'sequence' : 'table'} ${pg.escapeIdentifier(relation.name)}`;
      await client.query(`revoke all ${on} from ${name}`);
      const rights = [...wanted, ...columns].join(', ');
      if (rights !== '') await client.query(`grant ${rights} ${on} to ${name}`);
    }
    await client.query('commit');
  } finally {
    await client.end();
  }
}

function wantedOf(relation: Relation, maintain: readonly string[]): readonly string[] {
  if (relation.isSequence) return ['USAGE', 'SELECT'];
  if (relation.isPartition) return maintain;
  if (READ_ONLY.includes(relation.name)) return ['SELECT', ...maintain];
  const writes = Object.hasOwn(SEALED, relation.name) ? [] : ['UPDATE', 'DELETE'];
  return ['SELECT', 'INSERT', ...writes, ...maintain];
}

const isSame = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && some.every((each) => others.includes(each));

async function relationsOf(
  client: pg.Client,
  role: string,
  maintain: readonly string[],
): Promise<readonly Relation[]> {
  const rights = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', ...maintain];
  const { rows } = await client.query<Relation>(
    `select c.relname as name, c.relispartition as "isPartition", c.relkind = 'S' as "isSequence",
      array(select p from unnest(case c.relkind when 'S' then '{USAGE,SELECT}' else $2::text[] end) p
        where case c.relkind when 'S' then has_sequence_privilege($1, c.oid, p) else has_table_privilege($1, c.oid, p) end) as has,
      array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and c.relkind <> 'S' and a.attnum > 0
        and not a.attisdropped and not has_table_privilege($1, c.oid, 'UPDATE')
        and has_column_privilege($1, c.oid, a.attnum, 'UPDATE')) as updates
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S')
    order by c.relname`,
    [role, rights],
  );
  return rows;
}

/** Creates the application's role on our own server, or sets its password. */
export async function ensureApplicationRole(client: pg.Client, password: string): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [APPLICATION_ROLE]);
  const verb = rowCount === 0 ? 'create' : 'alter';
  await client.query(
    `${verb} role ${APPLICATION_ROLE} login nosuperuser password ${pg.escapeLiteral(password)}`,
  );
  // The application reads how the server is doing: settings, sessions, statistics.
  await client.query(`grant pg_monitor to ${APPLICATION_ROLE}`);
}

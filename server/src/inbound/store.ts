import type { AccountKind } from '@sangam/contract/account-kinds.ts';
import { type Database, type Queryable, hot, sql } from '../platform/db/database.ts';
import { giveMonitor } from '../accounts/give-monitor.ts';
import { insertMonitor, noteSeen } from '../evidence/monitors/monitor.ts';
import type { RailAccount } from '../evidence/matching/receive-credits.ts';
import type { Platform } from '../platform/platform.ts';

/** An account that the platform watches itself. */
export interface Watch {
  readonly account: RailAccount;
  readonly readUntil: Date | null;
  readonly rescannedAt: Date | null;
  /** The problem of the last look; null if it went well. */
  readonly problem: string | null;
  /** Orders wait for money there. */
  readonly isAwaited: boolean;
}

/** Begins to watch the receiving accounts of a kind that are not watched yet. The watch is a monitor of its own. */
export async function beginWatches(
  platform: Pick<Platform, 'db' | 'clock' | 'vault'>,
  kind: AccountKind,
  name: string,
): Promise<void> {
  const unwatched = sql`a.kind = ${kind} and a.direction = 'in'
    and not exists (select from rail_watches w where w.account_id = a.id)`;
  const [any] = await platform.db.query(
    hot('an account nobody watches', sql`select 1 from accounts a where ${unwatched} limit 1`),
  );
  if (!any) return;
  const at = platform.clock.now();
  await platform.db.tx(async (tx) => {
    const accounts = await tx.query<{ id: bigint; supplierId: bigint; tail: string }>(sql`
      select a.id, a.supplier_id as "supplierId", right(a.account_number, 4) as tail from accounts a where ${unwatched}
      order by a.id for update skip locked`);
    for (const { id, supplierId, tail } of accounts) {
      const monitorId = await insertMonitor(platform, tx, { supplierId, name: `${name} ${tail}` });
      await tx.query(sql`
        insert into rail_watches (account_id, monitor_id, next_at) values (${id}, ${monitorId}, ${at})`);
      await giveMonitor(tx, id, monitorId);
    }
  });
}

/** Takes the watches that are due. Nobody else takes them while the lease lasts. */
export function takeDueWatches(
  { db, clock }: Pick<Platform, 'clock'> & { readonly db: Database },
  kind: AccountKind,
  { limit, leaseMs }: { readonly limit: number; readonly leaseMs: number },
): Promise<Watch[]> {
  const now = clock.now();
  const until = new Date(now.getTime() + leaseMs);
  return db.tx(async (tx) => {
    const rows = await tx.query<RailAccount & Omit<Watch, 'account'>>(
      hot(
        'watches that are due',
        sql`
      select a.id, a.supplier_id as "supplierId", a.bank, a.currency, a.account_number as "accountNumber",
        w.monitor_id as "monitorId", w.read_until as "readUntil", w.rescanned_at as "rescannedAt", w.problem,
        exists (select from waiting_orders o where o.account_id = a.id) as "isAwaited"
      from rail_watches w join accounts a on a.id = w.account_id
      where w.next_at <= ${now} and a.kind = ${kind} and a.direction = 'in'
      order by w.next_at limit ${limit} for update of w skip locked`,
      ),
    );
    if (rows.length === 0) return [];
    await tx.query(sql`
      update rail_watches set next_at = ${until} where account_id = any(${rows.map((row) => row.id)})`);
    return rows.map(({ readUntil, rescannedAt, problem, isAwaited, ...account }) => ({
      account,
      readUntil,
      rescannedAt,
      problem,
      isAwaited,
    }));
  });
}

/** Notes a look. A null leaves the stored value, but `problem` always belongs to the last look. */
export async function noteWatched(
  db: Queryable,
  accountId: bigint,
  seen: {
    readonly readUntil: Date | null;
    readonly seenAt: Date | null;
    readonly nextAt: Date;
    readonly rescannedAt: Date | null;
    readonly problem: string | null;
  },
): Promise<void> {
  await db.query(sql`
    update rail_watches set read_until = greatest(read_until, ${seen.readUntil}), next_at = ${seen.nextAt},
      rescanned_at = coalesce(${seen.rescannedAt}, rescanned_at),
      problem = ${seen.problem}
    where account_id = ${accountId}`);
  if (seen.seenAt) await sawMonitor(db, accountId, seen.seenAt);
}

/** The rail answered about an account, so the account is online. */
async function sawMonitor(db: Queryable, accountId: bigint, at: Date): Promise<void> {
  const monitorId = await monitorOf(db, accountId);
  if (monitorId !== undefined) await noteSeen(db, monitorId, at);
}

/** The monitor of an account's watch; undefined if the account is not watched. */
export async function monitorOf(db: Queryable, accountId: bigint): Promise<bigint | undefined> {
  const [row] = await db.query<{ id: bigint }>(sql`
    select monitor_id as id from rail_watches where account_id = ${accountId}`);
  return row?.id;
}

/** The address to which an account's payments are reported, as it was last registered. */
export async function registeredUrl(db: Queryable, accountId: bigint): Promise<string | null> {
  const [row] = await db.query<{ url: string | null }>(sql`
    select registered_url as url from rail_watches where account_id = ${accountId}`);
  return row?.url ?? null;
}

export async function noteRegistered(db: Queryable, accountId: bigint, url: string): Promise<void> {
  await db.query(sql`update rail_watches set registered_url = ${url} where account_id = ${accountId}`);
}

/** A watched account as credits name it. */
export async function railAccountOf(db: Queryable, accountId: bigint): Promise<RailAccount | undefined> {
  const [row] = await db.query<RailAccount>(sql`
    select a.id, a.supplier_id as "supplierId", a.bank, a.currency, a.account_number as "accountNumber", w.monitor_id as "monitorId"
    from rail_watches w join accounts a on a.id = w.account_id where a.id = ${accountId}`);
  return row;
}

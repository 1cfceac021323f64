import { createHash } from 'node:crypto';
import { payerKey } from '../accounts/openness.ts';
import { DAY, HOUR, MINUTE } from '../platform/clock.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { addressOf } from './address.ts';
import { noteAbnormal } from './abnormal.ts';
import type { Source, SourceFacts } from './source.ts';

/** A little longer than the longest window. */
const KEPT = DAY + HOUR;
/** How many members of a set one minute of one address keeps. A larger number would say nothing more. */
const MOST_MEMBERS = 1_000;
const PAID_STEP = 4;

interface Counted {
  readonly ip: string;
  readonly minute: Date;
  orders: number;
  paid: number;
  readonly merchants: Set<bigint>;
  readonly accounts: Set<bigint>;
  readonly names: Set<bigint>;
}

interface Change {
  readonly facts: SourceFacts;
  readonly before: Source | undefined;
  readonly after: Source;
}

/** Adds changed orders to the minutes of their client addresses, and records addresses that have become abnormal. */
export async function countAddresses(platform: Platform, tx: Tx, changes: readonly Change[]): Promise<void> {
  const now = platform.clock.now();
  const since = new Date(now.getTime() - KEPT);
  const counted = [...counts(changes.filter(({ facts }) => facts.createdAt >= since)).values()];
  if (counted.length === 0) return;
  const set = (members: ReadonlySet<bigint>) => `{${[...members].slice(0, MOST_MEMBERS).join(',')}}`;
  tx.send(sql`
    insert into ip_minutes as m (ip, minute, orders, paid, merchants, accounts, names)
    select ip, minute, orders, paid, merchants::bigint[], accounts::bigint[], names::bigint[]
    from unnest(${counted.map(({ ip }) => ip)}::text[], ${counted.map(({ minute }) => minute)}::timestamptz[],
      ${counted.map(({ orders }) => orders)}::int[], ${counted.map(({ paid }) => paid)}::int[],
      ${counted.map(({ merchants }) => set(merchants))}::text[], ${counted.map(({ accounts }) => set(accounts))}::text[],
      ${counted.map(({ names }) => set(names))}::text[]) as v (ip, minute, orders, paid, merchants, accounts, names)
    on conflict (ip, minute) do update set orders = m.orders + excluded.orders, paid = m.paid + excluded.paid,
      merchants = ${union('merchants')}, accounts = ${union('accounts')}, names = ${union('names')}`);
  const grown = counted.filter(({ orders }) => orders > 0).map(({ ip }) => ip);
  await noteAbnormal(platform, tx, [...new Set(grown)], now);
}

const union = (column: 'merchants' | 'accounts' | 'names') => {
  const [kept, added] = {
    merchants: [sql`m.merchants`, sql`excluded.merchants`],
    accounts: [sql`m.accounts`, sql`excluded.accounts`],
    names: [sql`m.names`, sql`excluded.names`],
  }[column] as [ReturnType<typeof sql>, ReturnType<typeof sql>];
  return sql`case when ${kept} @> ${added} or cardinality(${kept}) >= ${MOST_MEMBERS} then ${kept}
    else array(select distinct unnest(${kept} || ${added})) end`;
};

function counts(changes: readonly Change[]): Map<string, Counted> {
  const counted = new Map<string, Counted>();
  for (const { facts, before, after } of changes) {
    const ip = facts.clientIp === null ? undefined : addressOf(facts.clientIp);
    const orders = (after.test ? 0 : 1) - (before && !before.test ? 1 : 0);
    const paid = paidOf(after) - (before ? paidOf(before) : 0);
    if (ip === undefined || (orders === 0 && paid === 0)) continue;
    const minute = Math.floor(facts.createdAt.getTime() / MINUTE) * MINUTE;
    const key = `${ip}/${minute}`;
    const each: Counted = counted.get(key) ?? {
      ip,
      minute: new Date(minute),
      orders: 0,
      paid: 0,
      merchants: new Set(),
      accounts: new Set(),
      names: new Set(),
    };
    each.orders += orders;
    each.paid += paid;
    each.merchants.add(facts.merchantId);
    if (facts.accountId !== null) each.accounts.add(facts.accountId);
    if (facts.userName !== null) each.names.add(hashOf(payerKey(facts.userName)));
    counted.set(key, each);
  }
  return counted;
}

const paidOf = ({ test, reached }: Source): number => (!test && reached >= PAID_STEP ? 1 : 0);

function hashOf(name: string): bigint {
  return createHash('sha256').update(name).digest().readBigInt64BE();
}

/** Deletes minutes that are older than any window. */
export async function sweepMinutes(platform: Platform): Promise<void> {
  const before = new Date(platform.clock.now().getTime() - KEPT);
  await platform.db.query(sql`delete from ip_minutes where minute < ${before}`);
}

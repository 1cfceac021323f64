import type { z } from 'zod';
import type { getFundRecordList } from '@sangam/contract/endpoints/party.ts';
import type { Currency } from '@sangam/contract/money.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { type Queryable, type Sql, empty, sql } from '../platform/db/database.ts';
import { idFilter, readPage, timeFilter } from '../platform/db/page.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';
import { scopeOf, type Viewer } from '../platform/viewer.ts';
import { isInParts, reasonFor } from './as-shown.ts';

type Input = z.output<typeof getFundRecordList.input>;
type Output = z.input<typeof getFundRecordList.output>;

interface Row {
  readonly id: bigint;
  readonly postingId: bigint;
  readonly postingKind: string;
  readonly orderId: bigint | null;
  readonly ownerKind: 'merchant' | 'supplier' | 'platform';
  readonly ownerId: bigint;
  readonly ownerName: string | null;
  readonly bucket: string;
  readonly currency: Currency;
  readonly amount: bigint;
  readonly balanceAfter: bigint;
  readonly reason: string | null;
  readonly createdAt: Date;
}

const DEFAULT_DAYS = 31;

/**
 * Ledger entries, newest first. The balances that the viewer may see are looked up first: their number lets the planner choose
 * between the index of one balance and the newest entries of all.
 */
export async function listFundRecords(
  platform: Platform,
  viewer: Viewer,
  input: Input,
): Promise<Output | Refusal> {
  const ofAccounts = await accountFilter(platform.db, viewer, input);
  const page = await readPage<Row>(platform, input, {
    columns: sql`e.id, e.posting_id as "postingId", p.kind as "postingKind", p.order_id as "orderId", a.owner_kind as "ownerKind",
      a.owner_id as "ownerId", coalesce(m.name, s.name) as "ownerName", a.bucket, a.currency, e.amount,
      e.balance_after as "balanceAfter", p.reason, e.created_at as "createdAt"`,
    from: sql`
      from ledger_entries e
      join ledger_accounts a on a.id = e.account_id
      join postings p on p.id = e.posting_id
      left join merchants m on a.owner_kind = 'merchant' and m.id = a.owner_id
      left join suppliers s on a.owner_kind = 'supplier' and s.id = a.owner_id
      where true ${ofAccounts}
      ${timeFilter(sql`e.id`, input, platform.clock.now(), input.orderCode ? null : DEFAULT_DAYS)}
      ${input.postingKind ? sql`and p.kind = ${input.postingKind}` : empty}
      ${input.orderCode ? idFilter(sql`p.order_id`, input.orderCode) : empty}`,
    key: sql`e.id`,
  });
  if (isRefusal(page)) return page;
  return { ...page, list: page.list.map((row) => shape(row, viewer)) };
}

/** Condition on the entries: those of the balances in the viewer's scope that the filters name. Empty means all entries. */
async function accountFilter(db: Queryable, viewer: Viewer, input: Input): Promise<Sql> {
  const conditions = [
    scopeOf(viewer, {
      merchant: sql`case a.owner_kind when 'merchant' then a.owner_id end`,
      supplier: sql`case a.owner_kind when 'supplier' then a.owner_id end`,
    }),
    input.ownerKind === undefined ? empty : sql`and a.owner_kind = ${input.ownerKind}`,
    input.ownerId === undefined ? empty : idFilter(sql`a.owner_id`, input.ownerId),
    input.currency === undefined ? empty : sql`and a.currency = ${input.currency}`,
    input.bucket ? sql`and a.bucket = ${input.bucket}` : empty,
  ].filter((condition) => condition !== empty);
  if (conditions.length === 0) return empty;
  const where = conditions.reduce((all, condition) => sql`${all} ${condition}`);
  const rows = await db.query<{ id: bigint }>(sql`select a.id from ledger_accounts a where true ${where}`);
  return sql`and e.account_id = any(${rows.map((row) => row.id)})`;
}

function shape(row: Row, viewer: Viewer): Output['list'][number] {
  const isPlatform = row.ownerKind === 'platform';
  return {
    id: String(row.id),
    postingId: String(row.postingId),
    postingKind: row.postingKind,
    orderCode: row.orderId === null ? null : String(row.orderId),
    ownerKind: row.ownerKind,
    ownerId: isPlatform ? null : String(row.ownerId),
    ownerName: isPlatform ? 'platform' : (row.ownerName ?? String(row.ownerId)),
    bucket: row.bucket,
    currency: row.currency,
    amount: Number(row.amount),
    balanceAfter: isInParts(row) ? null : Number(row.balanceAfter),
    reason: reasonFor(viewer, row),
    time: formatTime(row.createdAt),
  };
}

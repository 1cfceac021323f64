import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { hot, type Queryable, type Sql, type Tx, sql } from '../platform/db/database.ts';
import { HELD, PAYOUT_COLUMNS, type PayoutOrder } from './order.ts';
import { columnNames, unnestRows } from '../platform/db/unnest-rows.ts';

/*
 * Lock order of every command: payout rows in id order, then UTRs and messages, ledger accounts last.
 */

// With nine months of tables, planning one of these statements takes 4 ms and running it 0.3 ms: each is planned once per connection.

export function lockPayouts(tx: Tx, orderIds: readonly bigint[]): Promise<PayoutOrder[]> {
  const locked = sql`select ${PAYOUT_COLUMNS} from payout_orders o where o.id = any(${orderIds}) order by o.id for update`;
  return tx.query<PayoutOrder>(hot('lock payouts', locked));
}

export function readPayouts(db: Queryable, orderIds: readonly bigint[]): Promise<PayoutOrder[]> {
  const read = sql`select ${PAYOUT_COLUMNS} from payout_orders o where o.id = any(${orderIds})`;
  return db.query<PayoutOrder>(hot('read payouts', read));
}

/** SQL condition: neither the payout (alias `o`) nor its merchant is frozen. */
export const HELD_BY_NOBODY: Sql = sql`(not ${HELD})`;

/**
 * Locks up to `limit` payouts (alias `o`) that fit `condition`, in the order of `first` (the oldest first). Passes over those that another
 * node has locked, so any number of nodes may sweep. `name` is only for a condition whose SQL text is always the same (see `hot`).
 */
export function lockSome(
  tx: Tx,
  condition: Sql,
  limit: number,
  { first = sql`o.id`, name }: { readonly first?: Sql; readonly name?: string } = {},
): Promise<PayoutOrder[]> {
  const lock = sql`
    select ${PAYOUT_COLUMNS} from payout_orders o where ${condition} order by ${first} limit ${limit} for update skip locked`;
  return tx.query<PayoutOrder>(name === undefined ? lock : hot(name, lock));
}

/**
 * Keeps the gateway's own reference of a send, unless one is kept already: a lost answer may not have named it. A payout that waits keeps
 * none: the next attempt would be asked about by it.
 */
export async function noteReference(
  db: Queryable,
  { id, attempt }: Pick<PayoutOrder, 'id' | 'attempt'>,
  reference: string,
): Promise<void> {
  await db.query(sql`
    update payout_orders set gateway_ref = ${reference}
    where id = ${id} and attempt = ${attempt} and gateway_ref is null and status <> ${PAYOUT_STATUS.waiting}`);
}

export type PayoutRow = Pick<
  PayoutOrder,
  | 'id'
  | 'merchantId'
  | 'mchOrderNo'
  | 'productId'
  | 'currency'
  | 'amount'
  | 'fee'
  | 'payeeName'
  | 'payeeAccount'
  | 'payeeIfsc'
  | 'payeeBank'
  | 'payeeVpa'
  | 'payeeAddress'
  | 'payeePhone'
  | 'clientIp'
  | 'notifyUrl'
  | 'param1'
  | 'param2'
  | 'createdAt'
> & {
  /** The merchant's upload that it is a row of. */
  readonly uploadId: bigint | null;
};

const PAYOUT = {
  id: 'bigint',
  merchantId: 'bigint',
  mchOrderNo: 'text',
  productId: 'int',
  currency: 'text',
  amount: 'bigint',
  fee: 'bigint',
  payeeName: 'text',
  payeeAccount: 'text',
  payeeIfsc: 'text',
  payeeBank: 'text',
  payeeVpa: 'text',
  payeeAddress: 'text',
  payeePhone: 'text',
  clientIp: 'text',
  notifyUrl: 'text',
  param1: 'text',
  param2: 'text',
  uploadId: 'bigint',
  createdAt: 'timestamptz',
} as const;

/** Writes new payouts, in status 'waiting'. */
export async function insertPayouts(tx: Tx, rows: readonly PayoutRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    hot(
      'insert payouts',
      sql`
    insert into payout_orders (${columnNames(PAYOUT)}, status)
    select *, ${PAYOUT_STATUS.waiting}::smallint from ${unnestRows(PAYOUT, rows)}`,
    ),
  );
}

import { type Queryable, type Sql, type Tx, sql } from '../platform/db/database.ts';
import { PAYOUT_COLUMNS, type PayoutOrder } from './order.ts';

/*
 * Lock order of every command: payout rows in id order, then UTRs and messages, ledger accounts last.
 */

export function lockPayouts(tx: Tx, orderIds: readonly bigint[]): Promise<PayoutOrder[]> {
  return tx.query<PayoutOrder>(sql`
    select ${PAYOUT_COLUMNS} from payout_orders o where o.id = any(${orderIds}) order by o.id for update`);
}

export function readPayouts(db: Queryable, orderIds: readonly bigint[]): Promise<PayoutOrder[]> {
  return db.query<PayoutOrder>(sql`
    select ${PAYOUT_COLUMNS} from payout_orders o where o.id = any(${orderIds})`);
}

/** SQL condition: no hold on the payout (alias `o`) or its merchant keeps it where it is. */
export const HELD_BY_NOBODY: Sql = sql`(not o.frozen
  and not exists (select from merchants held where held.id = o.merchant_id and held.frozen))`;

/**
 * Locks the first `limit` payouts that fit, the oldest ones unless told otherwise, passing over what another node holds: any
 * number of nodes may sweep.
 */
export function lockSome(
  tx: Tx,
  condition: Sql,
  limit: number,
  first: Sql = sql`o.id`,
): Promise<PayoutOrder[]> {
  return tx.query<PayoutOrder>(sql`
    select ${PAYOUT_COLUMNS} from payout_orders o where ${condition} order by ${first} limit ${limit} for update skip locked`);
}

/** Keeps the gateway's own name of a send whose answer was lost. */
export async function noteReference(
  db: Queryable,
  { id, attempt }: Pick<PayoutOrder, 'id' | 'attempt'>,
  reference: string,
): Promise<void> {
  await db.query(sql`
    update payout_orders set gateway_ref = ${reference}
    where id = ${id} and attempt = ${attempt} and gateway_ref is null`);
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
  /** The merchant's file it came in. */
  readonly uploadId: bigint | null;
};

/** Writes new payouts, all of them waiting. */
export async function insertPayouts(tx: Tx, rows: readonly PayoutRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(sql`
    insert into payout_orders (id, merchant_id, mch_order_no, product_id, currency, amount, fee, status, payee_name,
      payee_account, payee_ifsc, payee_bank, payee_vpa, payee_address, payee_phone, client_ip, notify_url, param1, param2,
      upload_id, created_at)
    select id, merchant_id, mch_order_no, product_id, currency, amount, fee, 0, payee_name, payee_account, payee_ifsc,
      payee_bank, payee_vpa, payee_address, payee_phone, client_ip, notify_url, param1, param2, upload_id, created_at
    from unnest(
      ${rows.map((row) => row.id)}::bigint[], ${rows.map((row) => row.merchantId)}::bigint[],
      ${rows.map((row) => row.mchOrderNo)}::text[], ${rows.map((row) => row.productId)}::int[],
      ${rows.map((row) => row.currency)}::text[], ${rows.map((row) => row.amount)}::bigint[],
      ${rows.map((row) => row.fee)}::bigint[], ${rows.map((row) => row.payeeName)}::text[],
      ${rows.map((row) => row.payeeAccount)}::text[], ${rows.map((row) => row.payeeIfsc)}::text[],
      ${rows.map((row) => row.payeeBank)}::text[], ${rows.map((row) => row.payeeVpa)}::text[],
      ${rows.map((row) => row.payeeAddress)}::text[], ${rows.map((row) => row.payeePhone)}::text[],
      ${rows.map((row) => row.clientIp)}::text[], ${rows.map((row) => row.notifyUrl)}::text[],
      ${rows.map((row) => row.param1)}::text[], ${rows.map((row) => row.param2)}::text[],
      ${rows.map((row) => row.uploadId)}::bigint[], ${rows.map((row) => row.createdAt)}::timestamptz[])
      as v (id, merchant_id, mch_order_no, product_id, currency, amount, fee, payee_name, payee_account, payee_ifsc,
        payee_bank, payee_vpa, payee_address, payee_phone, client_ip, notify_url, param1, param2, upload_id, created_at)`);
}

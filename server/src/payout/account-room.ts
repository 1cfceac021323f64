import type { SettingValues } from '@sangam/contract/settings.ts';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { lockLoads } from '../accounts/load.ts';
import type { Payer } from '../accounts/payers.ts';
import { type Sql, type Tx, join, hot, sql } from '../platform/db/database.ts';
import type { PayoutOrder } from './order.ts';

/** A paying account with what its daily limits leave today (null: no limit). Reduced in memory while payouts are given to it. */
export interface Room {
  readonly payer: Payer;
  orders: number | null;
  amount: bigint | null;
}

/**
 * What the daily limits of these accounts leave. Accounts with a limit are locked until the transaction's end, so that two nodes do not use
 * the same room. Payouts that failed, were cancelled or were rejected do not count. Limits count only with `LimitMode` 'enforce'.
 */
export async function roomsOf(
  tx: Tx,
  payers: readonly Payer[],
  day: string,
  { LimitMode }: Pick<SettingValues, 'LimitMode'>,
): Promise<Room[]> {
  const limited = payers.filter(
    ({ dailyCountLimit, dailyAmountLimit }) =>
      LimitMode === 'enforce' && (dailyCountLimit !== null || dailyAmountLimit !== null),
  );
  const used = await usedOf(
    tx,
    limited.map(({ id }) => id),
    day,
  );
  return payers.map((payer) => {
    const { dailyCountLimit, dailyAmountLimit } = payer;
    if (!limited.includes(payer)) return { payer, orders: null, amount: null };
    const { orders, amount } = used.get(payer.id) ?? { orders: 0, amount: 0n };
    return {
      payer,
      orders: dailyCountLimit === null ? null : Math.max(0, dailyCountLimit - orders),
      amount: dailyAmountLimit === null ? null : dailyAmountLimit - amount,
    };
  });
}

async function usedOf(tx: Tx, accountIds: readonly bigint[], day: string) {
  if (accountIds.length === 0) return new Map<bigint, { orders: number; amount: bigint }>();
  lockLoads(tx, accountIds);
  const { cancelled, rejected, processingError } = PAYOUT_STATUS;
  const rows = await tx.query<{ id: bigint; orders: number; amount: bigint }>(
    hot(
      'account room',
      sql`
    select account_id as id, count(*)::int as orders, sum(amount)::bigint as amount from payout_orders
    where account_id = any(${accountIds}) and taken_on = ${day}
      and (status <> all(${[cancelled, rejected, processingError]}::int[]) or reversed_at is not null)
    group by 1`,
    ),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

type Wanted = Pick<PayoutOrder, 'amount' | 'merchantId'>;

const mostOf = ({ payer, amount }: Room) =>
  amount === null || amount > payer.maxAmount ? payer.maxAmount : amount;

/** SQL condition: one of the accounts has room for the payout (alias `o`) by itself. Undefined: no account has room. */
export function fitsARoom(rooms: readonly Room[]): Sql | undefined {
  const open = rooms.filter((room) => room.orders !== 0 && mostOf(room) >= room.payer.minAmount);
  if (open.length === 0) return undefined;
  const conditions = open.map((room) => {
    const { minAmount, merchantWhitelist } = room.payer;
    return sql`(o.amount between ${minAmount} and ${mostOf(room)}
      and (${merchantWhitelist}::text[] is null or o.merchant_id::text = any(${merchantWhitelist}::text[])))`;
  });
  return sql`(${join(conditions, ' or ')})`;
}

/** Gives a payout to the first account with room for it and takes the room. Undefined: earlier payouts have used the room. */
export function takeRoom(rooms: readonly Room[], order: Wanted): Payer | undefined {
  const found = rooms.find((room) => {
    const { minAmount, merchantWhitelist } = room.payer;
    if (room.orders === 0 || order.amount < minAmount || order.amount > mostOf(room)) return false;
    return merchantWhitelist?.includes(String(order.merchantId)) ?? true;
  });
  if (!found) return undefined;
  if (found.orders !== null) found.orders -= 1;
  if (found.amount !== null) found.amount -= order.amount;
  return found.payer;
}

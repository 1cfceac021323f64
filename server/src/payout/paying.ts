import type { getPaying } from '@sangam/contract/endpoints/payout.ts';
import type { z } from 'zod';
import { type HandPayer, handPayers, PAYER_NAME } from '../accounts/payers.ts';
import { type Queryable, type Tx, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { PayoutOrder } from './order.ts';
import { countSlips } from './slip-store.ts';
import { readPayouts } from './store.ts';

/** The account a supplier paid from last is looked for among this many of its newest payouts. */
const LOOKED_THROUGH = 50;

/** How the supplier may pay the payout it claimed: the accounts to choose from, the most likely one, and how many slips it has added. */
export async function readPaying(
  { db }: Platform,
  viewer: Viewer,
  orderId: bigint,
): Promise<z.input<typeof getPaying.output> | Refusal> {
  const [order] = await readPayouts(db, [orderId]);
  const { supplierId } = viewer;
  if (!order || supplierId === null || order.supplierId !== supplierId) return refuse('notFound');
  const accounts = await choices(db, order, supplierId);
  const likely = order.accountId ?? (await paidFromLast(db, supplierId));
  return {
    accounts: accounts.map(({ accountId, name }) => ({ accountId: String(accountId), name })),
    accountId: accounts.some(({ accountId }) => accountId === likely) ? String(likely) : null,
    slips: await countSlips(db, orderId, supplierId),
  };
}

/** The supplier's accounts to choose from; of a payout whose account is known (a batch's), that account alone. */
async function choices(
  db: Queryable,
  { accountId, currency }: PayoutOrder,
  supplierId: bigint,
): Promise<readonly HandPayer[]> {
  if (accountId === null) return handPayers(db, supplierId, currency);
  const account = await payingAccount(db, accountId);
  return account ? [account] : [];
}

async function paidFromLast(db: Queryable, supplierId: bigint): Promise<bigint | undefined> {
  const [last] = await db.query<{ accountId: bigint }>(sql`
    select account_id as "accountId" from (
      select id, account_id from payout_orders where supplier_id = ${supplierId} order by id desc limit ${LOOKED_THROUGH}) o
    where account_id is not null order by id desc limit 1`);
  return last?.accountId;
}

export async function payingAccount(db: Queryable, accountId: bigint): Promise<HandPayer | undefined> {
  const [account] = await db.query<HandPayer>(
    sql`select a.id as "accountId", ${PAYER_NAME} as name from accounts a where a.id = ${accountId}`,
  );
  return account;
}

/**
 * Checks the account that a supplier says it paid a locked payout from, and returns it. 409 when the account is not open to pay it
 * (`payerClosed`), or when the bank has reported this UTR for other accounts of the supplier only (`paidFromAnother`): from then on only
 * a debit of the named account proves the payout.
 */
export async function paidFrom(
  tx: Tx,
  { role, supplierId }: Viewer,
  order: PayoutOrder,
  said: { readonly utr: string; readonly accountId: bigint },
): Promise<bigint | Refusal> {
  const { accountId, utr } = said;
  if (role !== 'supplier' || supplierId === null) return refuse('forbidden');
  const offered = await choices(tx, order, supplierId);
  if (!offered.some((each) => each.accountId === accountId))
    return refuse('conflict', {}, { reason: 'payerClosed' });
  const debits = await tx.query<{ isChosen: boolean }>(sql`
    select m.account_id = ${accountId} as "isChosen" from messages m
    where m.utr = ${utr} and m.supplier_id = ${supplierId} and m.direction = 'debit' and m.account_id is not null`);
  return debits.length > 0 && debits.every(({ isChosen }) => !isChosen)
    ? refuse('conflict', {}, { reason: 'paidFromAnother' })
    : accountId;
}

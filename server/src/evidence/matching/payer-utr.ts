import { waitingBeside } from '../../collection/matchable.ts';
import { recordPayerUtr } from '../../collection/payer-utr.ts';
import type { WaitingOrder } from '../../collection/waiting.ts';
import { type Tx, hot, sql } from '../../platform/db/database.ts';
import { isFrozen, completeOrders } from '../../collection/complete.ts';
import type { Platform } from '../../platform/platform.ts';
import { normaliseReference } from '@sangam/contract/references.ts';
import { corroborated } from '../trusted-chain/corroborated.ts';
import { dropHolds, holdForChain, nameHolds } from '../trusted-chain/hold.ts';
import { isRefusal, type Refusal } from '../../platform/refusal.ts';
import { noteHeld } from './held.ts';
import { amountKey, lockOtherWordings, movedAtOf, rememberedAmounts } from './reported-amounts.ts';
import { isAsked, isContested, isOtherPayer, lastOther, waitedWhenPaid } from './decide.ts';
import { isTooOld, joinMessage, lockOpenCredit, type OpenCredit } from './join.ts';

/**
 * Keeps the UTR a payer says the payment has: the first evidence a bank message is tried against. When the
 * account's credit with that UTR came earlier and found no order, it completes the order now, unless it is too old (`HOURS_BEFORE_ORDER`).
 */
export function submitUtr(
  platform: Platform,
  token: string,
  typedUtr: string,
  ip: string,
): Promise<{ state: 'waiting' | 'paid' | 'timedOut' } | Refusal> {
  const utr = normaliseReference(typedUtr);
  return platform.db.tx(async (tx) => {
    const recorded = await recordPayerUtr(platform, tx, token, utr, ip);
    if (isRefusal(recorded) || recorded.state === 'paid' || !recorded.waiting) return recorded;
    const { order } = recorded;
    // Anybody can read the transactions of a chain: naming one proves nothing.
    if (order.currency === 'USDT') return recorded;
    const credit = await lockOpenCredit(tx, recorded.waiting.accountId, utr, 'message');
    if (!credit) await renameHolds(tx, recorded.waiting, utr);
    if (!credit || !(await pays(platform, tx, credit, { ...recorded.waiting, payerUtr: utr })))
      return recorded;
    const { accountId } = recorded.waiting;
    const borne = await corroborated(platform, tx, [{ accountId, ...credit, evidence: 'payerUtr' }]);
    if (!borne.has(credit.id)) {
      await tx.query(sql`update messages set state = 'held', reason = 'chain' where id = ${credit.id}`);
      const hold = { messageId: credit.id, accountId, orderId: order.id, evidence: 'payerUtr' };
      await holdForChain(platform, tx, [hold], platform.clock.now());
      return recorded;
    }
    const [settled] = await completeOrders(platform, tx, [
      {
        orderId: order.id,
        received: credit.amount,
        utr,
        by: 'message',
        offset: false,
        accountId,
        actor: { kind: 'payer', id: null, ip },
        data: { messageId: String(credit.id), evidence: 'payerUtr' },
      },
    ]);
    if (isFrozen(settled!)) {
      await tx.query(sql`update messages set state = 'held', reason = 'orderFrozen' where id = ${credit.id}`);
      await noteHeld(platform, tx, [{ orderId: order.id, messageId: credit.id, evidence: 'payerUtr' }]);
      return recorded;
    }
    // A UTR that another order has used proves nothing for this one; the payer's word is kept for the operator.
    if (isRefusal(settled)) return recorded;
    await joinMessage(platform, tx, credit.id, order.id, 'payerUtr');
    return { state: 'paid' as const };
  });
}

/** Whether a stored credit, named by the order's payer and no other's, completes it: no other wording of it has paid, or is held for, an order. */
async function pays(platform: Platform, tx: Tx, credit: OpenCredit, waiting: WaitingOrder): Promise<boolean> {
  const { NeedNameCheck } = await platform.settings.all();
  const { accountId, payerUtr, allocatedAt } = waiting;
  if (isTooOld(credit, allocatedAt)) return false;
  const named = { ...credit, reference: payerUtr! };
  if (isContested(waiting, await waitingBeside(tx, waiting, named), named)) return false;
  if (!isAsked(waiting, credit) || (NeedNameCheck && isOtherPayer(waiting, credit))) return false;
  const now = platform.clock.now();
  const sum = { accountId, amount: credit.amount };
  const known = (await rememberedAmounts(tx, [sum], [credit.id], now)).get(amountKey(sum));
  if (waitedWhenPaid(waiting, lastOther(named, known?.paid))) return false;
  const others = await lockOtherWordings(tx, credit.id, now);
  return others.every(({ state }) => state === 'unmatched' || state === 'ambiguous');
}

/**
 * A credit that waits for its chain is named by its payer now: it is this order's, whatever order its amount had meant. Where
 * the order asks another sum, or another order that waits has the same UTR or exactly its sum, it is neither's by itself, and is left to an
 * operator. One too old for the order stays as it is.
 */
async function renameHolds(tx: Tx, waiting: WaitingOrder, utr: string): Promise<void> {
  const credits = await tx.query<Pick<OpenCredit, 'id' | 'amount' | 'currency' | 'movedAt'>>(
    hot(
      'held credits of a UTR',
      sql`
    select id, amount, currency, ${movedAtOf(sql`messages`)} as "movedAt" from messages
    where utr = ${utr} and account_id = ${waiting.accountId} and direction = 'credit'
      and (state = 'held' and reason = 'chain' or state = 'untrusted')
    order by id for update`,
    ),
  );
  const found = { fits: [] as bigint[], severalOrders: [] as bigint[], amountDiffers: [] as bigint[] };
  for (const credit of credits.filter((each) => !isTooOld(each, waiting.allocatedAt))) {
    const named = { ...credit, reference: utr };
    const others = await waitingBeside(tx, waiting, named);
    const isOthers = isContested(waiting, others, named);
    found[!isAsked(waiting, credit) ? 'amountDiffers' : isOthers ? 'severalOrders' : 'fits'].push(credit.id);
  }
  const { fits, ...left } = found;
  await nameHolds(tx, waiting.orderId, fits);
  for (const [reason, ids] of Object.entries(left)) {
    if (ids.length === 0) continue;
    await dropHolds(tx, ids);
    await tx.query(sql`update messages set state = 'ambiguous', reason = ${reason} where id = any(${ids})`);
  }
}

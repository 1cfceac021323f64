import { isCodeOfOther, merchantsNamed, waitingBeside } from '../../collection/matchable.ts';
import { recordPayerUtr } from '../../collection/payer-utr.ts';
import { SLACK, type WaitingOrder } from '../../collection/waiting.ts';
import { type Tx, hot, sql } from '../../platform/db/database.ts';
import { isFrozen, completeOrders } from '../../collection/complete.ts';
import type { Platform } from '../../platform/platform.ts';
import { nameScreen } from '../../screening/screen.ts';
import { normaliseReference } from '@sangam/contract/references.ts';
import { corroborated } from '../trusted-chain/corroborated.ts';
import { dropHolds, holdForChain, nameHolds } from '../trusted-chain/hold.ts';
import { isRefusal, type Refusal } from '../../platform/refusal.ts';
import { noteHeld } from './held.ts';
import { leaveListed } from './listed.ts';
import { amountKey, lockOtherWordings, movedAtOf, rememberedAmounts } from './reported-amounts.ts';
import {
  identifyCodesIn,
  isAsked,
  isContested,
  isOfOther,
  isOtherPayer,
  lastOther,
  waitedWhenPaid,
} from './decide.ts';
import { isTooOld, joinMessage, lockOpenCredit, type OpenCredit } from './join.ts';

/**
 * Keeps the UTR that a payer typed, as evidence for messages that come later. If the account's credit with that UTR came earlier and found
 * no order, it completes the order now, unless it is too old (`HOURS_BEFORE_ORDER`).
 */
export async function submitUtr(
  platform: Platform,
  token: string,
  typedUtr: string,
  ip: string,
): Promise<{ state: 'waiting' | 'paid' | 'timedOut' } | Refusal> {
  const utr = normaliseReference(typedUtr);
  // Loaded before the transaction: inside it, loading would need a second connection.
  await nameScreen(platform).ready();
  return platform.db.tx(async (tx) => {
    const recorded = await recordPayerUtr(platform, tx, token, utr, ip);
    if (isRefusal(recorded) || recorded.state === 'paid' || !recorded.waiting) return recorded;
    const { order } = recorded;
    // Anybody can read the transactions of a blockchain, so a typed transaction id proves nothing.
    if (order.currency === 'USDT') return recorded;
    const credit = await lockOpenCredit(tx, recorded.waiting.accountId, utr, 'message');
    if (!credit) await renameHolds(platform, tx, recorded.waiting, utr);
    if (!credit || !(await pays(platform, tx, credit, { ...recorded.waiting, payerUtr: utr })))
      return recorded;
    if (await leaveListed(platform, tx, { ...credit, messageId: credit.id })) return recorded;
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
    // Another order has used this UTR, so it proves nothing here. The typed UTR is kept for the operator.
    if (isRefusal(settled)) return recorded;
    await joinMessage(platform, tx, credit.id, order.id, 'payerUtr');
    return { state: 'paid' as const };
  });
}

/**
 * Whether the money moved too long before the order, or after its grace. While another credit is held for it, an order waits longer than
 * its grace.
 */
function isOutside(
  credit: Pick<OpenCredit, 'movedAt' | 'currency'>,
  { allocatedAt, releaseAt }: WaitingOrder,
): boolean {
  return isTooOld(credit, allocatedAt) || credit.movedAt.getTime() > releaseAt.getTime() + SLACK;
}

/**
 * Whether a stored credit whose UTR this order's payer typed completes the order. It does not if it is too old or too late, carries the code of
 * another waiting order, may be meant for another order, or has another sum or name. Nor does it if another wording of it is matched, held,
 * untrusted or spent (`IS_SPENT`).
 */
async function pays(platform: Platform, tx: Tx, credit: OpenCredit, waiting: WaitingOrder): Promise<boolean> {
  const { NeedNameCheck } = await platform.settings.all();
  const { accountId, payerUtr } = waiting;
  if (isOutside(credit, waiting)) return false;
  if (await isCodeOfOther(tx, identifyCodesIn(credit.text), waiting.orderId)) return false;
  const named = { ...credit, reference: payerUtr! };
  if (isOfOther(waiting, await merchantsOf(platform, tx, named))) return false;
  if (isContested(waiting, await waitingBeside(tx, waiting, named), named)) return false;
  if (!isAsked(waiting, credit) || (NeedNameCheck && isOtherPayer(waiting, credit))) return false;
  const now = platform.clock.now();
  const sum = { accountId, amount: credit.amount };
  const known = (await rememberedAmounts(tx, [sum], [credit.id], now)).get(amountKey(sum));
  if (waitedWhenPaid(waiting, lastOther(named, known?.paid))) return false;
  const others = await lockOtherWordings(tx, credit.id, now);
  return others.every(({ state, isSpent }) => !isSpent && (state === 'unmatched' || state === 'ambiguous'));
}

/** The merchants whose orders a stored credit names. */
async function merchantsOf(
  { clock }: Platform,
  tx: Tx,
  credit: Pick<OpenCredit, 'id' | 'amount' | 'text'> & { readonly reference: string },
): Promise<readonly bigint[] | undefined> {
  const { id: messageId, text } = credit;
  const named = { ...credit, messageId, identifyCodes: identifyCodesIn(text) };
  return (await merchantsNamed(tx, [named], clock.now())).get(messageId);
}

interface NamedCredit extends Pick<OpenCredit, 'id' | 'amount' | 'currency' | 'payer' | 'text' | 'movedAt'> {
  /** It is held for another waiting order whose payer typed no other UTR. */
  readonly isHeldForOther: boolean;
}

/**
 * Handles credits that wait for their chain and whose UTR this payer just typed. A credit that fits is held for this order from now on. It
 * becomes ambiguous if it is held for another waiting order whose payer typed no other UTR, if another order may be meant (`isContested`),
 * or if sum or name do not fit. A credit that is too old, or carries the code of another waiting order, stays as it is.
 */
async function renameHolds(platform: Platform, tx: Tx, waiting: WaitingOrder, utr: string): Promise<void> {
  const { NeedNameCheck } = await platform.settings.all();
  const credits = await tx.query<NamedCredit>(
    hot(
      'held credits of a UTR',
      sql`
    select m.id, m.amount, m.currency, m.payer, m.text, ${movedAtOf(sql`m`)} as "movedAt",
      exists (select from chain_holds h join waiting_orders w on w.order_id = h.order_id
        where h.message_id = m.id and w.order_id <> ${waiting.orderId} and w.account_id = m.account_id
          and (w.payer_utr is null or w.payer_utr = ${utr})) as "isHeldForOther"
    from messages m
    where m.utr = ${utr} and m.account_id = ${waiting.accountId} and m.direction = 'credit'
      and (m.state = 'held' and m.reason = 'chain' or m.state = 'untrusted')
    order by m.id for update of m`,
    ),
  );
  const found = {
    fits: [] as bigint[],
    severalOrders: [] as bigint[],
    amountDiffers: [] as bigint[],
    nameDiffers: [] as bigint[],
  };
  for (const credit of credits.filter((each) => !isOutside(each, waiting))) {
    if (await isCodeOfOther(tx, identifyCodesIn(credit.text), waiting.orderId)) continue;
    const named = { ...credit, reference: utr };
    const others = await waitingBeside(tx, waiting, named);
    const isOthers =
      credit.isHeldForOther ||
      isContested(waiting, others, named) ||
      isOfOther(waiting, await merchantsOf(platform, tx, named));
    const isNobodys = NeedNameCheck && isOtherPayer(waiting, credit);
    const what = isOthers ? 'severalOrders' : isNobodys ? 'nameDiffers' : 'fits';
    found[isAsked(waiting, credit) ? what : 'amountDiffers'].push(credit.id);
  }
  const { fits, ...left } = found;
  await nameHolds(tx, waiting.orderId, fits);
  for (const [reason, ids] of Object.entries(left)) {
    if (ids.length === 0) continue;
    await dropHolds(tx, ids);
    await tx.query(sql`update messages set state = 'ambiguous', reason = ${reason} where id = any(${ids})`);
  }
}

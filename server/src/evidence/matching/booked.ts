import { ADMINS } from '@sangam/contract/roles.ts';
import { transactionOf } from '@sangam/contract/references.ts';
import { amountText } from '@sangam/contract/money.ts';
import type { Currency } from '@sangam/contract/money.ts';
import { isCodeOfOther, isOfAnotherPayer } from '../../collection/matchable.ts';
import { notify } from '../../inbox/notify.ts';
import { isTopUpOf } from '../../order-numbers/claim.ts';
import { referenceKey, refFamily } from '../../order-numbers/references.ts';
import { type Tx, hot, sql } from '../../platform/db/database.ts';
import { lowestIdAfter } from '../../platform/db/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { type NewCredit, verdict, type Verdict } from './credit.ts';
import { identifyCodesIn } from './decide.ts';
import { isOpenToMessages } from './reported-amounts.ts';
import { unnestRows } from '../../platform/db/unnest-rows.ts';

/** A credit whose reference an order has used already. Amounts in minor units. */
export interface BookedCredit {
  readonly accountId: bigint;
  readonly amount: bigint;
  readonly currency: string;
  readonly reference: string;
}

/** How a credit relates to the booking that used its reference. */
export type Booked =
  /** The order was booked without a message, with this account and this sum. The message is joined to the order. */
  | { readonly is: 'itsMessage'; readonly orderId: bigint }
  /** The order has its message already, or the reference was settled outside the platform: the bank reports the payment a second time. */
  | { readonly is: 'repeat' }
  /** The order's message states no reference. The credit may be that payment again, or the order's payment itself. */
  | { readonly is: 'perhapsRepeat'; readonly orderId: bigint; readonly toldAt: Date }
  /** The reference was settled outside the platform with another sum, or on another account. No order is concerned. */
  | { readonly is: 'unlikeSettled' }
  /** A top-up was booked by the reference. A person finds out whether this is the top-up's money or an order's. */
  | { readonly is: 'toppedUp' }
  /** Account or sum differ, the order was booked as an offset or is a test, or the reference belongs to a payout. A person has to look. */
  | { readonly is: 'contradiction'; readonly orderId: bigint };

interface Use {
  /** `referenceKey` of the reference. */
  readonly key: string;
  readonly orderId: bigint;
  /** True for a collection order and a payout. False: the reference belongs to money that was settled outside the platform. */
  readonly isOrder: boolean;
  /** The reference belongs to a top-up by hand. */
  readonly isTopUp: boolean;
  /** Sum and account of the credit that was settled outside. Both are null where it is in the archive; it may belong to no account. */
  readonly settledAmount: bigint | null;
  readonly settledOn: bigint | null;
  readonly accountId: bigint | null;
  readonly received: bigint | null;
  /** Booked against suspense, because the money came outside the order's account. */
  readonly isOffset: boolean;
  /** A test order charges nobody: the account's owner would keep a payer's payment. */
  readonly isTest: boolean;
  /** The credit that was joined to the order. A payout's debit does not count: a credit under its number is money that came back. */
  readonly joined: {
    readonly accountId: string;
    readonly amount: number;
    readonly isBare: boolean;
    readonly toldAt: string;
  } | null;
}

/**
 * Compares account and sum of each credit with the order that used its reference. A credit whose reference nobody used is not in the
 * answer.
 */
export async function compareBooked(
  tx: Tx,
  credits: readonly BookedCredit[],
): Promise<ReadonlyMap<BookedCredit, Booked>> {
  if (credits.length === 0) return new Map();
  const uses = await tx.query<Use>(
    hot(
      'compare booked',
      sql`
    select u.family || ' ' || u.utr as key, s.amount as "settledAmount", s.account_id as "settledOn", u.order_id as "orderId",
      o.id is not null or exists (select from payout_orders p where p.id = u.order_id)
        or exists (select from archived_orders a where a.order_id = u.order_id) as "isOrder",
      ${isTopUpOf(sql`u.order_id`)} as "isTopUp", o.account_id as "accountId", o.received,
      exists (select from postings p where p.key = 'collection/' || o.id and p.kind = 'collectionOffset') as "isOffset",
      exists (select from test_orders t where t.merchant_id = o.merchant_id and t.mch_order_no = o.mch_order_no) as "isTest",
      (select jsonb_build_object('accountId', m.account_id::text, 'amount', m.amount, 'isBare', m.utr is null, 'toldAt', m.reported_at)
        from message_matches mm join messages m on m.id = mm.message_id where mm.order_id = u.order_id and m.direction = 'credit') as joined
    from ${unnestRows(
      { family: 'text', utr: 'text' },
      credits.map((row) => ({ family: refFamily(row.reference, row.currency), utr: row.reference })),
    )}
    join utr_uses u on u.family = v.family and u.utr = v.utr
    left join collection_orders o on o.id = u.order_id and o.reversed_at is null
    left join messages s on s.id = u.order_id and s.state = 'settledOutside'`,
    ),
  );
  const byReference = new Map(uses.map((use) => [use.key, use]));
  const taken = new Set<bigint>();
  return new Map(
    credits.flatMap((credit) => {
      const use = byReference.get(referenceKey(credit));
      return use ? [[credit, bookedOf(credit, use, taken)] as const] : [];
    }),
  );
}

/** `taken`: orders that got their message in this call. One order has one message. */
function bookedOf(credit: BookedCredit, use: Use, taken: Set<bigint>): Booked {
  const { orderId, joined, settledAmount, settledOn } = use;
  if (use.isTopUp) return { is: 'toppedUp' };
  if (!use.isOrder) {
    const isSame =
      (settledAmount ?? credit.amount) === credit.amount &&
      (settledOn ?? credit.accountId) === credit.accountId;
    return { is: isSame ? 'repeat' : 'unlikeSettled' };
  }
  if (joined) {
    const isSame = BigInt(joined.accountId) === credit.accountId && BigInt(joined.amount) === credit.amount;
    if (!isSame) return { is: 'contradiction', orderId };
    return joined.isBare
      ? { is: 'perhapsRepeat', orderId, toldAt: new Date(joined.toldAt) }
      : { is: 'repeat' };
  }
  if (use.isTest) return { is: 'contradiction', orderId };
  if (use.accountId !== credit.accountId || use.received !== credit.amount || use.isOffset)
    return { is: 'contradiction', orderId };
  if (taken.has(orderId)) return { is: 'repeat' };
  taken.add(orderId);
  return { is: 'itsMessage', orderId };
}

/**
 * The credits that are not the first transfer of their transaction and whose payment people booked by the transaction's id, with an order
 * before the chain reported them or with a top-up; each with this id as its reference. The first transfer itself is not among `credits`.
 */
export async function bookedByTransaction<Credit extends BookedCredit>(
  tx: Tx,
  credits: readonly Credit[],
): Promise<readonly Credit[]> {
  const stated = new Set(credits.map(({ reference }) => reference));
  const named = credits.flatMap((credit) => {
    const reference = transactionOf(credit.reference);
    return reference === null || stated.has(reference) ? [] : [{ ...credit, reference }];
  });
  const booked = await compareBooked(tx, named);
  return named.filter((credit) => ['itsMessage', 'toppedUp'].includes(booked.get(credit)?.is ?? ''));
}

/** Why a credit is not joined to the order that was booked by its reference. */
type Doubt = 'contradictsBooked' | 'wentBack' | 'payerListed' | 'wordingSettled';

/** Pairs of message id and verdict. */
export type Verdicts = readonly (readonly [bigint, Verdict])[];

/** The verdict on the message of an order that an operator completed before the message came. */
export const joined = (orderId: bigint): Verdict => ({
  state: 'matched',
  reason: null,
  orderId,
  evidence: 'supplement',
});

/**
 * Judges credits whose reference is used already: they complete no other order. The message of an order that was booked without it is
 * joined to that order. A repeat is a duplicate, or ambiguous if the bank took the payment back before (`wentBack`). A credit that
 * contradicts the booking, carries the code of another waiting order, is rather another payer's (`isRatherAnothers`), is doubtful (`doubt`
 * gives the reason), or is another payment than the order's message (`mayBeAgain`) is ambiguous, and the admins are notified.
 */
export async function judgeUsed<Credit extends BookedCredit & Pick<NewCredit, 'messageId' | 'text' | 'at'>>(
  platform: Platform,
  tx: Tx,
  credits: readonly Credit[],
  {
    doubt = () => undefined,
    mayBeAgain = () => true,
  }: {
    readonly doubt?: (credit: Credit) => Doubt | undefined;
    /** Whether the credit may be a payment that was reported without a reference at that moment. */
    readonly mayBeAgain?: (credit: Credit, toldAt: Date) => boolean;
  } = {},
): Promise<Verdicts> {
  const booked = await compareBooked(tx, credits);
  const verdicts: [bigint, Verdict][] = [];
  for (const credit of credits) {
    const found = booked.get(credit);
    const doubts = doubt(credit);
    const isRepeat = found?.is === 'repeat' || found?.is === 'perhapsRepeat';
    // The bank took the booked payment back before. So what looks like a repeat may be new money.
    const isNew = isRepeat && doubts === 'wentBack';
    const doubted = found?.is === 'itsMessage' || isNew ? doubts : undefined;
    const isAnother = found?.is === 'perhapsRepeat' && !mayBeAgain(credit, found.toldAt);
    const isOthers =
      found?.is === 'itsMessage' &&
      (doubted !== undefined ||
        (await isCodeOfOther(tx, identifyCodesIn(credit.text), found.orderId)) ||
        (await isRatherAnothers(platform, tx, found.orderId, credit)));
    const what = isAnother || isOthers ? { ...found, is: 'contradiction' as const } : found;
    if (what?.is === 'contradiction') await notifyBookedOtherwise(platform, tx, credit, what.orderId);
    verdicts.push([
      credit.messageId,
      what?.is === 'itsMessage'
        ? joined(what.orderId)
        : isNew || ['contradiction', 'unlikeSettled', 'toppedUp'].includes(what?.is ?? '')
          ? verdict('ambiguous', doubted ?? 'contradictsBooked')
          : verdict('duplicate', 'utrUsed'),
    ]);
  }
  return verdicts;
}

/**
 * Whether the order was paid by its supplier's word alone, and another unpaid order's payer named the payment, or owed exactly this sum when
 * the money moved. The supplier read the message before it reported it.
 */
async function isRatherAnothers(
  platform: Platform,
  tx: Tx,
  orderId: bigint,
  { accountId, amount, reference: utr, at: movedAt }: BookedCredit & { readonly at: Date },
): Promise<boolean> {
  const [said] = await tx.query(sql`
    select 1 from order_events e join users u on u.id = e.actor_id
    where e.order_id = ${orderId} and e.id > ${lowestIdAfter(orderId)} and e.kind = 'supplemented' and e.actor_kind = 'user'
      and u.role = 'supplier'`);
  if (!said) return false;
  const { CompleteCheckOrderTime: graceMinutes } = await platform.settings.all();
  const paid = { utr, credit: { amount, movedAt } };
  return isOfAnotherPayer(tx, { id: orderId, accountId }, paid, { at: platform.clock.now(), graceMinutes });
}

/**
 * Call it for an order that was just booked by a reference without its message. Stored credits of the reference lie on another account, on
 * the account of an offset, or are several: they contradict the booking as they would if they came now.
 */
export async function contradictBooked(
  platform: Platform,
  tx: Tx,
  { orderId, currency, utr }: { readonly orderId: bigint; readonly currency: string; readonly utr: string },
): Promise<void> {
  const credits = await tx.query<BookedCredit>(sql`
    update messages m set state = 'ambiguous', reason = 'contradictsBooked'
    where m.utr = ${utr} and m.currency = ${currency} and m.direction = 'credit' and m.account_id is not null and ${isOpenToMessages(sql`m`)}
    returning m.account_id as "accountId", m.amount, m.currency, m.utr as reference`);
  for (const credit of credits) await notifyBookedOtherwise(platform, tx, credit, orderId);
}

/** Notifies the admins that the bank's message contradicts the booking. */
export function notifyBookedOtherwise(
  platform: Platform,
  tx: Tx,
  { reference, amount, currency }: BookedCredit,
  orderId: bigint,
): Promise<void> {
  return notify(platform, tx, { roles: ADMINS }, 'bookedOtherwise', {
    order: String(orderId),
    utr: reference,
    amount: `${currency} ${amountText(amount, currency as Currency)}`,
  });
}

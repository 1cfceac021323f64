import { ADMINS } from '@sangam/contract/roles.ts';
import { amountText } from '@sangam/contract/money.ts';
import type { Currency } from '@sangam/contract/money.ts';
import { isCodeOfOther } from '../../collection/matchable.ts';
import { notify } from '../../inbox/notify.ts';
import { referenceKey, refFamily } from '../../order-numbers/references.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { verdict, type Verdict } from './credit.ts';
import { identifyCodesIn } from './decide.ts';
import { unnestRows } from '../../platform/db/unnest-rows.ts';

/** A credit whose reference an order has used. Amounts in minor units. */
export interface BookedCredit {
  readonly accountId: bigint;
  readonly amount: bigint;
  readonly currency: string;
  readonly reference: string;
}

/** What a credit is beside what was booked by its reference. */
export type Booked =
  /** The message of an order that was booked without it, as it was booked: it is joined to the order. */
  | { readonly is: 'itsMessage'; readonly orderId: bigint }
  /** The order has this message already, or people have settled it: the bank reports the payment twice. */
  | { readonly is: 'repeat' }
  /** Another account or sum, an order booked beside its account, or no order of payers: a person has to look. */
  | { readonly is: 'contradiction'; readonly orderId: bigint };

interface Use {
  /** `referenceKey` of the reference. */
  readonly key: string;
  readonly orderId: bigint;
  /** Of a collection order or a payout; else the reference is one of money settled outside the platform. */
  readonly isOrder: boolean;
  readonly accountId: bigint | null;
  readonly received: bigint | null;
  /** Booked against suspense: the money came outside the order's account. */
  readonly isOffset: boolean;
  /** Of the credit that was joined to it; a payout's debit is none: money under its number has come back. */
  readonly joined: { readonly accountId: string; readonly amount: number } | null;
}

/** Compares credits with the orders that use their references; by reference and account. */
export async function compareBooked(
  tx: Tx,
  credits: readonly BookedCredit[],
): Promise<ReadonlyMap<BookedCredit, Booked>> {
  if (credits.length === 0) return new Map();
  const uses = await tx.query<Use>(sql`
    select u.family || ' ' || u.utr as key, u.order_id as "orderId",
      o.id is not null or exists (select from payout_orders p where p.id = u.order_id) as "isOrder", o.account_id as "accountId", o.received,
      exists (select from postings p where p.key = 'collection/' || o.id and p.kind = 'collectionOffset') as "isOffset",
      (select jsonb_build_object('accountId', m.account_id::text, 'amount', m.amount)
        from message_matches mm join messages m on m.id = mm.message_id where mm.order_id = u.order_id and m.direction = 'credit') as joined
    from ${unnestRows(
      { family: 'text', utr: 'text' },
      credits.map((row) => ({ family: refFamily(row.reference, row.currency), utr: row.reference })),
    )}
    join utr_uses u on u.family = v.family and u.utr = v.utr
    left join collection_orders o on o.id = u.order_id and o.reversed_at is null`);
  const byReference = new Map(uses.map((use) => [use.key, use]));
  const taken = new Set<bigint>();
  return new Map(
    credits.flatMap((credit) => {
      const use = byReference.get(referenceKey(credit));
      return use ? [[credit, bookedOf(credit, use, taken)] as const] : [];
    }),
  );
}

/** `taken`: orders that got their message already; one message is one order's, and one order has one message. */
function bookedOf(credit: BookedCredit, use: Use, taken: Set<bigint>): Booked {
  const { orderId, joined } = use;
  if (!use.isOrder) return { is: 'repeat' };
  if (joined) {
    const isSame = BigInt(joined.accountId) === credit.accountId && BigInt(joined.amount) === credit.amount;
    return isSame ? { is: 'repeat' } : { is: 'contradiction', orderId };
  }
  if (use.accountId !== credit.accountId || use.received !== credit.amount || use.isOffset)
    return { is: 'contradiction', orderId };
  if (taken.has(orderId)) return { is: 'repeat' };
  taken.add(orderId);
  return { is: 'itsMessage', orderId };
}

/** What becomes of messages, by id. */
export type Verdicts = readonly (readonly [bigint, Verdict])[];

/** The message of an order that an operator has completed. */
export const joined = (orderId: bigint): Verdict => ({
  state: 'matched',
  reason: null,
  orderId,
  evidence: 'supplement',
});

/**
 * Credits whose reference an order has used pay no other order. The message of an order that was booked without it is joined to
 * it; a repeat is a duplicate; what contradicts the booking, or carries the code of another order that waits, is left to an operator, and
 * the admins are notified.
 */
export async function judgeUsed(
  platform: Platform,
  tx: Tx,
  credits: readonly (BookedCredit & { readonly messageId: bigint; readonly text: string })[],
): Promise<Verdicts> {
  const booked = await compareBooked(tx, credits);
  const verdicts: [bigint, Verdict][] = [];
  for (const credit of credits) {
    const found = booked.get(credit);
    const what =
      found?.is === 'itsMessage' && (await isCodeOfOther(tx, identifyCodesIn(credit.text), found.orderId))
        ? { ...found, is: 'contradiction' as const }
        : found;
    if (what?.is === 'contradiction') await notifyBookedOtherwise(platform, tx, credit, what.orderId);
    verdicts.push([
      credit.messageId,
      what?.is === 'itsMessage'
        ? joined(what.orderId)
        : what?.is === 'contradiction'
          ? verdict('ambiguous', 'contradictsBooked')
          : verdict('duplicate', 'utrUsed'),
    ]);
  }
  return verdicts;
}

/** The admins are notified that the bank says something else than what was booked. */
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

import type { z } from 'zod';
import type * as contract from '@sangam/contract/endpoints/terms.ts';
import { formatTime, parseTime } from '@sangam/contract/time.ts';
import type { Currency } from '@sangam/contract/money.ts';
import { ADMINS } from '@sangam/contract/roles.ts';
import { approvalNeeded, startApproval } from '../../approvals/start.ts';
import { audit } from '../../platform/audit/record.ts';
import { MINUTE } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Refusal, isRefusal, refuse } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { productsById } from './products.ts';
import {
  type TermsKey,
  type TermsValues,
  applyTerms,
  insertTerms,
  keepFirstTerms,
  lockDueTerms,
  lockOwner,
  currencyOf,
  ratesSet,
  termsInForce,
  switchOffScheduled,
  termsScheduled,
} from './terms-store.ts';

type Input = z.output<typeof contract.setUserProduct.input>;
type Written = z.input<typeof contract.setUserProduct.output>;

/** A time chosen in a form may have passed by the time the form is sent. */
const LATE = MINUTE;
const BATCH = 200;

/**
 * Sets the terms of an owner for a product from a given time on: at once when that is now, else a loop applies them when their
 * time comes. Orders keep the terms of their creation: the merchant's terms are stored on the order, commissions are looked up
 * as of then. The first terms of an owner for a product, and a changed rate, now or later, wait for a second person whoever
 * sets them, and so does everything that an admin sets (1205). Whoever switches an agent on gives it its rate.
 */
export async function setTerms(platform: Platform, viewer: Viewer, input: Input): Promise<Written | Refusal> {
  if (!ADMINS.includes(viewer.role)) return refuse('forbidden');
  const currency = (await productsById(platform)).get(input.productId)?.currency;
  const outcome = await platform.db.tx(async (tx) => {
    const before = await lockTerms(tx, keyOf(input));
    if (isRefusal(before)) return before;
    // Who switches a product off now keeps the rate in force, and the scheduled rates come as they were set.
    const isStop = before !== null && !input.enabled && input.effectiveTime === undefined;
    const isAgentOff = input.ownerKind === 'agent' && !input.enabled;
    const rates = isStop ? [{ ...before, isAgentOff }] : await ratesSet(tx, keyOf(input));
    const isNewRate =
      before === null ||
      rates.some(
        (rate) =>
          rate.ratePpm !== input.ratePpm ||
          rate.fixedFee !== BigInt(input.fixedFee) ||
          rate.isAgentOff !== isAgentOff,
      );
    if (viewer.role === 'superAdmin' && !isNewRate)
      return writeTerms(platform, tx, input, { viewer, setBy: viewer.userId });
    const late = timeOf(platform, input);
    if (isRefusal(late)) return late;
    return startApproval(platform, tx, viewer, {
      kind: 'rateChange',
      subjectKind: input.ownerKind === 'merchant' ? 'merchant' : 'supplier',
      subjectId: BigInt(input.ownerId),
      payload: { ...input, ...(await standing(tx, keyOf(input), before, currency)), currency },
      reason: input.reason ?? null,
      sole: false,
    });
  });
  return 'todoId' in outcome ? approvalNeeded(outcome) : outcome;
}

/**
 * Writes terms in the caller's transaction. A product that they switch off stays off: terms that were set before for a later time change
 * its rates and limits alone. `check` may refuse by the terms in force and the scheduled ones, which are locked. `late`: a
 * time that passed while the request waited for approval means now.
 */
export async function writeTerms(
  platform: Platform,
  tx: Tx,
  input: Input,
  by: {
    readonly viewer: Viewer;
    readonly setBy: bigint;
    readonly late?: boolean;
    readonly check?: (now: Standing) => Refusal | undefined;
    readonly approvalId?: bigint;
  },
): Promise<Written | Refusal> {
  const key = keyOf(input);
  const values: TermsValues = {
    enabled: input.enabled,
    ratePpm: input.ratePpm,
    fixedFee: BigInt(input.fixedFee),
    minAmount: BigInt(input.minAmount),
    maxAmount: BigInt(input.maxAmount),
    dailyCountLimit: input.dailyCountLimit,
    dailyAmountLimit: input.dailyAmountLimit === null ? null : BigInt(input.dailyAmountLimit),
    weight: input.weight,
  };
  const now = platform.clock.now();
  const effectiveAt = by.late ? laterOf(now, input) : timeOf(platform, input);
  if (isRefusal(effectiveAt)) return effectiveAt;
  const before = await lockTerms(tx, key);
  if (isRefusal(before)) return before;
  const currency = await currencyOf(tx, input.productId);
  const wrong = by.check?.(await standing(tx, key, before, currency));
  if (wrong) return wrong;
  await keepFirstTerms(tx, key, platform.ids.next(), now);
  const id = platform.ids.next();
  await insertTerms(tx, { id, key, values, effectiveAt, setBy: by.setBy, now });
  if (!values.enabled) await switchOffScheduled(tx, key, effectiveAt);
  if (effectiveAt <= now) await applyTerms(tx, [key], now);
  const effectiveTime = formatTime(effectiveAt);
  await audit(platform, tx, {
    userId: by.viewer.userId,
    action: 'terms.set',
    subject: subjectOf(key),
    ...(before ? { before: { ...shown(before), currency } } : {}),
    after: {
      ...shown(values),
      currency,
      effectiveTime,
      ...(by.approvalId === undefined
        ? {}
        : { approvalId: String(by.approvalId), startedBy: String(by.setBy) }),
    },
    ip: by.viewer.ip,
  });
  return { id: String(id), effectiveTime };
}

/** What a request for other terms stores of the present ones: those in force, and the scheduled ones. Null: none. */
export interface Standing {
  readonly allBefore: object | null;
  readonly scheduled: readonly object[] | null;
}

export async function standing(
  tx: Tx,
  key: TermsKey,
  before: TermsValues | null,
  currency: Currency | undefined,
): Promise<Standing> {
  const scheduled = (await termsScheduled(tx, key)).map(({ effectiveAt, ...values }) => ({
    ...shown(values),
    currency,
    effectiveTime: formatTime(effectiveAt),
  }));
  return { allBefore: before && shown(before), scheduled: scheduled.length > 0 ? scheduled : null };
}

function keyOf(input: Input): TermsKey {
  return { ownerKind: input.ownerKind, ownerId: BigInt(input.ownerId), productId: input.productId };
}

/** Locks the owner and answers its terms in force; null where it has none for the product. */
export async function lockTerms(tx: Tx, key: TermsKey): Promise<TermsValues | null | Refusal> {
  if (!(await lockOwner(tx, key)) || !(await currencyOf(tx, key.productId))) return refuse('notFound');
  return (await termsInForce(tx, key)) ?? null;
}

function laterOf(now: Date, { effectiveTime }: Input): Date {
  const wished = effectiveTime === undefined ? now : parseTime(effectiveTime)!;
  return wished > now ? wished : now;
}

/** When the terms come into force; a time in the past is refused. */
function timeOf(platform: Platform, input: Input): Date | Refusal {
  const now = platform.clock.now();
  const isPast =
    input.effectiveTime !== undefined && parseTime(input.effectiveTime)!.getTime() < now.getTime() - LATE;
  return isPast
    ? refuse('invalidInput', { fields: 'effectiveTime' }, { reason: 'past' })
    : laterOf(now, input);
}

/** Applies terms whose time has come; answers how many. Any number of nodes may do it at once. */
export async function applyDueTerms(platform: Platform): Promise<number> {
  return platform.db.tx(async (tx) => {
    const now = platform.clock.now();
    const due = await lockDueTerms(tx, now, BATCH);
    await applyTerms(tx, due, now);
    return due.length;
  });
}

export function subjectOf({ ownerKind, ownerId, productId }: TermsKey): string {
  return `terms:${ownerKind}/${ownerId}/${productId}`;
}

/** JSON has no bigint. */
export function shown(values: TermsValues): object {
  const { enabled, ratePpm, fixedFee, minAmount, maxAmount, dailyCountLimit, dailyAmountLimit, weight } =
    values;
  return {
    enabled,
    ratePpm,
    fixedFee: Number(fixedFee),
    minAmount: Number(minAmount),
    maxAmount: Number(maxAmount),
    dailyCountLimit,
    dailyAmountLimit: dailyAmountLimit === null ? null : Number(dailyAmountLimit),
    weight,
  };
}

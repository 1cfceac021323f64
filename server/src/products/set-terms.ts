import type { z } from 'zod';
import type * as contract from '@sangam/contract/endpoints/terms.ts';
import { formatTime, parseTime } from '@sangam/contract/time.ts';
import { audit } from '../audit/record.ts';
import { MINUTE } from '../clock.ts';
import type { Platform } from '../platform.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { Viewer } from '../viewer.ts';
import {
  type TermsKey,
  type TermsValues,
  applyTerms,
  deleteScheduled,
  insertTerms,
  keepFirstTerms,
  lockDueTerms,
  lockOwner,
  productExists,
  termsInForce,
} from './terms-store.ts';

/** A time chosen in a form has passed by the time it is sent. */
const LATE = MINUTE;
const BATCH = 200;

/**
 * Sets the terms of an owner for a product from a time on. They are in force at once when that is now, else a loop puts
 * them in force when their time comes. Orders keep the terms they were made under: the merchant's stand on the order,
 * commissions are read as of its creation.
 */
export async function setTerms(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof contract.setUserProduct.input>,
): Promise<z.input<typeof contract.setUserProduct.output> | Refusal> {
  if (viewer.role !== 'superAdmin') return refuse('forbidden');
  const key: TermsKey = {
    ownerKind: input.ownerKind,
    ownerId: BigInt(input.ownerId),
    productId: input.productId,
  };
  const values: TermsValues = {
    enabled: input.enabled,
    ratePpm: input.ratePpm,
    fixedFee: BigInt(input.fixedFee),
    minAmount: BigInt(input.minAmount),
    maxAmount: BigInt(input.maxAmount),
  };
  return platform.db.tx(async (tx) => {
    const now = platform.clock.now();
    const wished = input.effectiveTime === undefined ? now : parseTime(input.effectiveTime)!;
    // What is past stays as it was.
    if (wished.getTime() < now.getTime() - LATE)
      return refuse('invalidInput', { fields: 'effectiveTime' }, { reason: 'past' });
    const effectiveAt = wished > now ? wished : now;
    if (!(await lockOwner(tx, key)) || !(await productExists(tx, key.productId))) return refuse('notFound');
    const before = await termsInForce(tx, key);
    await keepFirstTerms(tx, key, platform.ids.next(), now);
    const id = platform.ids.next();
    await insertTerms(tx, { id, key, values, effectiveAt, setBy: viewer.userId, now });
    if (effectiveAt <= now) await applyTerms(tx, [key], now);
    const effectiveTime = formatTime(effectiveAt);
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'terms.set',
      subject: subjectOf(key),
      before: before && shown(before),
      after: { ...shown(values), effectiveTime },
      ip: viewer.ip,
    });
    return { id: String(id), effectiveTime };
  });
}

/** Takes terms back that are not in force yet. */
export function cancelTerms(
  platform: Platform,
  viewer: Viewer,
  input: { readonly id: string },
): Promise<Record<string, never> | Refusal> {
  return platform.db.tx(async (tx) => {
    if (viewer.role !== 'superAdmin') return refuse('forbidden');
    const scheduled = await deleteScheduled(tx, BigInt(input.id), platform.clock.now());
    if (!scheduled) return refuse('notFound');
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'terms.cancel',
      subject: subjectOf(scheduled),
      before: { ...shown(scheduled), effectiveTime: formatTime(scheduled.effectiveAt) },
      ip: viewer.ip,
    });
    return {};
  });
}

/** Puts terms in force whose time has come; returns how many. Any number of nodes may do it at once. */
export async function applyDueTerms(platform: Platform): Promise<number> {
  return platform.db.tx(async (tx) => {
    const now = platform.clock.now();
    const due = await lockDueTerms(tx, now, BATCH);
    await applyTerms(tx, due, now);
    return due.length;
  });
}

function subjectOf({ ownerKind, ownerId, productId }: TermsKey): string {
  return `terms:${ownerKind}/${ownerId}/${productId}`;
}

/** JSON knows no bigint. */
function shown({ enabled, ratePpm, fixedFee, minAmount, maxAmount }: TermsValues): object {
  return {
    enabled,
    ratePpm,
    fixedFee: Number(fixedFee),
    minAmount: Number(minAmount),
    maxAmount: Number(maxAmount),
  };
}

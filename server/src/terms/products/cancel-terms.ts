import { isDeepStrictEqual } from 'node:util';
import type { WithdrawnTerms } from '@sangam/contract/endpoints/terms.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { approvalNeeded, startApproval } from '../../approvals/start.ts';
import { audit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Refusal, isRefusal, refuse } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { lockTerms, shown, standing, subjectOf } from './set-terms.ts';
import {
  type ScheduledTerms,
  type TermsKey,
  type TermsValues,
  currencyOf,
  deleteTerms,
  keyOfTerms,
  ratesSet,
  termsScheduled,
} from './terms-store.ts';

/**
 * Takes back terms that are not in force yet. Two people agreed to a rate, so it waits for a second person (1205), unless the rates in force
 * and all scheduled ones are the same.
 */
export async function cancelTerms(
  platform: Platform,
  viewer: Viewer,
  input: { readonly id: string },
): Promise<Record<string, never> | Refusal> {
  if (viewer.role !== 'superAdmin') return refuse('forbidden');
  const outcome = await platform.db.tx(async (tx) => {
    const locked = await lockScheduled(platform, tx, BigInt(input.id));
    if (isRefusal(locked)) return locked;
    const { key } = locked;
    if ((await ratesSet(tx, key)).length === 1) return withdraw(platform, tx, locked, viewer);
    return startApproval(platform, tx, viewer, {
      kind: 'rateChange',
      subjectKind: key.ownerKind === 'merchant' ? 'merchant' : 'supplier',
      subjectId: key.ownerId,
      payload: {
        ownerKind: key.ownerKind,
        ownerId: String(key.ownerId),
        productId: key.productId,
        termsId: input.id,
        ...(await standingWith(tx, locked)),
      },
      reason: null,
      sole: false,
    });
  });
  if (outcome === null) return {};
  return isRefusal(outcome) ? outcome : approvalNeeded(outcome);
}

/** Takes back what two people agreed to take back. A conflict (409) where the terms in force or the scheduled ones have changed since. */
export async function withdrawAgreed(
  platform: Platform,
  tx: Tx,
  { termsId, withdrawn, scheduled }: WithdrawnTerms,
  by: { readonly viewer: Viewer; readonly setBy: bigint; readonly approvalId: bigint },
): Promise<Record<string, never> | Refusal> {
  const locked = await lockScheduled(platform, tx, BigInt(termsId));
  if (isRefusal(locked) || !isDeepStrictEqual(await standingWith(tx, locked), { withdrawn, scheduled }))
    return refuse('conflict');
  const agreed = { approvalId: String(by.approvalId), startedBy: String(by.setBy) };
  return (await withdraw(platform, tx, locked, by.viewer, agreed)) ?? {};
}

interface Locked {
  readonly key: TermsKey;
  readonly inForce: TermsValues | null;
  readonly terms: ScheduledTerms;
}

/** Locks the owner of terms whose time has not come; 404 where there are none with this id. */
async function lockScheduled(platform: Platform, tx: Tx, id: bigint): Promise<Locked | Refusal> {
  const key = await keyOfTerms(tx, id);
  if (!key) return refuse('notFound');
  const inForce = await lockTerms(tx, key);
  if (isRefusal(inForce)) return inForce;
  const now = platform.clock.now();
  const terms = (await termsScheduled(tx, key)).find((each) => each.id === id && each.effectiveAt > now);
  return terms ? { key, inForce, terms } : refuse('notFound');
}

/** The terms to take back beside those in force, and all scheduled ones. */
async function standingWith(tx: Tx, { key, inForce, terms }: Locked) {
  const currency = await currencyOf(tx, key.productId);
  const { allBefore, scheduled } = await standing(tx, key, inForce, currency);
  const effectiveTime = formatTime(terms.effectiveAt);
  return { withdrawn: { ...shown(terms), currency, effectiveTime, allBefore }, scheduled };
}

async function withdraw(
  platform: Platform,
  tx: Tx,
  { key, terms }: Locked,
  viewer: Viewer,
  agreed?: object,
): Promise<Refusal | null> {
  if (!(await deleteTerms(tx, terms.id))) return refuse('notFound');
  await audit(platform, tx, {
    userId: viewer.userId,
    action: 'terms.cancel',
    subject: subjectOf(key),
    before: {
      ...shown(terms),
      currency: await currencyOf(tx, key.productId),
      effectiveTime: formatTime(terms.effectiveAt),
    },
    ...(agreed && { after: agreed }),
    ip: viewer.ip,
  });
  return null;
}

import type { copyUserProducts, CopiedTerms } from '@sangam/contract/endpoints/terms.ts';
import { ADMINS } from '@sangam/contract/roles.ts';
import type { z } from 'zod';
import { approvalNeeded, startApproval } from '../../approvals/start.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Refusal, isRefusal, refuse } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { writeTerms } from './set-terms.ts';
import { lockOwner, termsToCopy } from './terms-store.ts';

/**
 * Asks that a merchant gets the terms that another merchant has in force, for each product it has no terms for. First terms
 * wait for a second person, whoever asks (1205). A copy is one request, however many products it holds.
 */
export async function copyTerms(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof copyUserProducts.input>,
): Promise<Refusal> {
  if (!ADMINS.includes(viewer.role)) return refuse('forbidden');
  const ownerId = BigInt(input.ownerId);
  const outcome = await platform.db.tx(async (tx) => {
    const copied = await readTerms(tx, ownerId, BigInt(input.fromId));
    if (isRefusal(copied)) return copied;
    return startApproval(platform, tx, viewer, {
      kind: 'rateChange',
      subjectKind: 'merchant',
      subjectId: ownerId,
      payload: copied,
      reason: null,
      sole: false,
    });
  });
  return isRefusal(outcome) ? outcome : approvalNeeded(outcome);
}

async function readTerms(tx: Tx, ownerId: bigint, fromId: bigint): Promise<CopiedTerms | Refusal> {
  const [from] = await tx.query<{ name: string }>(sql`select name from merchants where id = ${fromId}`);
  if (!from || !(await lockOwner(tx, { ownerKind: 'merchant', ownerId }))) return refuse('notFound');
  const terms = await termsToCopy(tx, ownerId, fromId);
  if (terms.length === 0) return refuse('conflict', {}, { reason: 'nothingToCopy' });
  return {
    ownerKind: 'merchant',
    ownerId: String(ownerId),
    copiedFrom: from.name,
    terms: terms.map(({ dailyAmountLimit, ...each }) => ({
      ...each,
      fixedFee: Number(each.fixedFee),
      minAmount: Number(each.minAmount),
      maxAmount: Number(each.maxAmount),
      dailyAmountLimit: dailyAmountLimit === null ? null : Number(dailyAmountLimit),
    })),
  };
}

/** Writes all terms or none, in force at once. A conflict (409) where the merchant has got terms for one of the products meanwhile. */
export async function writeCopied(
  platform: Platform,
  tx: Tx,
  { ownerKind, ownerId, terms }: CopiedTerms,
  by: { readonly viewer: Viewer; readonly setBy: bigint; readonly approvalId: bigint },
): Promise<{ readonly productIds: readonly number[] } | Refusal> {
  for (const { currency: _, ...each } of terms) {
    const written = await writeTerms(
      platform,
      tx,
      { ownerKind, ownerId, ...each, effectiveTime: undefined },
      {
        ...by,
        check: ({ allBefore, scheduled }) => ((allBefore ?? scheduled) ? refuse('conflict') : undefined),
      },
    );
    if (isRefusal(written)) return written;
  }
  return { productIds: terms.map(({ productId }) => productId) };
}

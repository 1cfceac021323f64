import { ADMINS } from '@sangam/contract/roles.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { isFreshUser } from '../../approvals/independence.ts';
import { approvalNeeded } from '../../approvals/start.ts';
import { audit } from '../../platform/audit/record.ts';
import { MINUTE } from '../../platform/clock.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Refusal, isRefusal, refuse } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { askForAccess, tellMerchant } from './access-change.ts';
import { newSecret } from './add-merchant.ts';

interface Issued {
  readonly secret: string;
  readonly previousValidUntil: string | null;
}

/**
 * Issues a new secret. Only the merchant's own user is shown it, once; refused when the merchant had a secret before and that
 * user was made or reset within a day. Staff can only void the old secret, with a second person (1205), and are shown nothing.
 * Until the overlap ends the old secret signs too; one older than that stops at once. Without overlap (after a leak) the old
 * secret stops now.
 */
export async function rotateSecret(
  platform: Platform,
  viewer: Viewer,
  input: { readonly id: string; readonly overlapMinutes: number },
): Promise<Issued | Refusal> {
  const id = BigInt(input.id);
  const { overlapMinutes } = input;
  const isOwn = viewer.role === 'merchant' && viewer.merchantId === id;
  if (!isOwn && !ADMINS.includes(viewer.role)) return refuse('forbidden');
  const outcome = await platform.db.tx(async (tx) => {
    const [merchant] = await tx.query<{ hadOne: boolean }>(
      sql`select secret_shown_at is not null as "hadOne" from merchants where id = ${id} for update`,
    );
    if (!merchant) return refuse('notFound');
    if (!isOwn) return askForAccess(platform, tx, viewer, id, { change: 'secret', overlapMinutes });
    if (merchant.hadOne && (await isFreshUser(tx, viewer.userId, platform.clock.now())))
      return refuse('forbidden', {}, { reason: 'freshUser' });
    await tx.query(sql`update merchants set secret_shown_at = ${platform.clock.now()} where id = ${id}`);
    return applySecret(platform, tx, viewer, id, overlapMinutes);
  });
  return isRefusal(outcome) || !('todoId' in outcome) ? outcome : approvalNeeded(outcome);
}

/** Voids the secret that somebody asked about. 409 if the merchant has issued another since. */
export async function voidSecret(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  id: bigint,
  { overlapMinutes, seenAt }: { readonly overlapMinutes: number; readonly seenAt: Date },
): Promise<Issued | Refusal> {
  const [issued] = await tx.query(
    sql`select 1 from merchants where id = ${id} and secret_shown_at > ${seenAt} for update`,
  );
  return issued ? refuse('conflict') : applySecret(platform, tx, viewer, id, overlapMinutes);
}

/** Replaces the old secret by a new one; the merchant's user is notified. */
async function applySecret(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  id: bigint,
  overlapMinutes: number,
): Promise<Issued | Refusal> {
  const secret = newSecret();
  const overlaps = overlapMinutes > 0;
  const until = overlaps ? new Date(platform.clock.now().getTime() + overlapMinutes * MINUTE) : null;
  const { vault } = platform;
  const [merchant] = await tx.query<{ secret: Buffer }>(
    sql`select secret from merchants where id = ${id} for update`,
  );
  if (!merchant) return refuse('notFound');
  const previous = overlaps
    ? vault.seal(vault.open(merchant.secret, ['merchants.secret', id]), ['merchants.previous_secret', id])
    : null;
  await tx.query(sql`
    update merchants set secret = ${vault.seal(secret, ['merchants.secret', id])}, previous_valid_until = ${until},
      previous_secret = ${previous}
    where id = ${id}`);
  const previousValidUntil = until && formatTime(until);
  await audit(platform, tx, {
    userId: viewer.userId,
    action: 'merchant.rotateSecret',
    subject: `merchant:${id}`,
    after: { previousValidUntil },
    ip: viewer.ip,
  });
  await tellMerchant(platform, tx, id, 'secretChanged');
  return { secret, previousValidUntil };
}

import type { z } from 'zod';
import type { updateMerchant as contract } from '@sangam/contract/endpoints/merchant.ts';
import { ADMINS } from '@sangam/contract/roles.ts';
import type { SignType } from '@sangam/contract/signature.ts';
import { approvalNeeded } from '../../approvals/start.ts';
import { audit } from '../../platform/audit/record.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Refusal, isRefusal, refuse } from '../../platform/refusal.ts';
import { listedProblem } from '../../screening/listed-problem.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { askForAccess, isAsBefore, tellMerchant } from './access-change.ts';
import type { CallbackTransport } from './add-merchant.ts';
import { letsInMore, lockDoor } from './door.ts';

interface Row {
  readonly name: string;
  readonly enabled: boolean;
  readonly signType: SignType;
  readonly cancelByMd5: boolean;
  readonly callbackTransport: CallbackTransport | null;
}

type Input = z.output<typeof contract.input>;

/**
 * Changes the given fields. Existing callbacks keep their transport. A sign type that lets in more waits for a second person (1205) alone:
 * the other fields are changed at once, so that the approval takes back nothing that was changed since.
 */
export async function updateMerchant(
  platform: Platform,
  viewer: Viewer,
  input: Input,
): Promise<Record<string, never> | Refusal> {
  if (!ADMINS.includes(viewer.role)) return refuse('forbidden');
  const id = BigInt(input.id);
  const listed =
    input.name && (await listedProblem(platform, { name: input.name }, 'party', `merchant:${id}`));
  if (listed) return listed;
  const outcome = await platform.db.tx(async (tx) => {
    const before = await lockDoor(tx, id);
    if (!before) return refuse('notFound');
    const { signType = before.signType, cancelByMd5 = before.cancelByMd5 } = input;
    if (!letsInMore(before, { ...before, signType, cancelByMd5 }))
      return applyUpdate(platform, tx, viewer, input);
    const { id: merchant, signType: _, cancelByMd5: __, ...rest } = input;
    const isMore = Object.values(rest).some((value) => value !== undefined);
    const refused = isMore && (await applyUpdate(platform, tx, viewer, { id: merchant, ...rest }));
    if (refused) return refused;
    const asked = { id: merchant, signType, cancelByMd5 };
    return askForAccess(platform, tx, viewer, id, { change: 'signType', input: asked, before });
  });
  if (isRefusal(outcome)) return outcome;
  return outcome ? approvalNeeded(outcome) : {};
}

async function read(tx: Tx, id: bigint): Promise<Row> {
  const [row] = await tx.query<Row>(sql`
    select name, enabled, sign_type as "signType", cancel_by_md5 as "cancelByMd5", callback_transport as "callbackTransport"
    from merchants where id = ${id}`);
  return row!;
}

/** Refuses (409) where the merchant's door differs from `seen`, the door at the time of the request. */
export async function applyUpdate(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  input: Input,
  seen?: unknown,
): Promise<Refusal | undefined> {
  const id = BigInt(input.id);
  const door = await lockDoor(tx, id);
  if (!door) return refuse('notFound');
  if (!isAsBefore(door, seen)) return refuse('conflict');
  const before = await read(tx, id);
  const after: Row = {
    name: input.name ?? before.name,
    enabled: input.enabled ?? before.enabled,
    signType: input.signType ?? before.signType,
    cancelByMd5: input.cancelByMd5 ?? before.cancelByMd5,
    callbackTransport:
      input.callbackTransport === undefined ? before.callbackTransport : input.callbackTransport,
  };
  await tx.query(sql`
    update merchants set name = ${after.name}, enabled = ${after.enabled}, sign_type = ${after.signType},
      cancel_by_md5 = ${after.cancelByMd5}, callback_transport = ${after.callbackTransport}
    where id = ${id}`);
  await audit(platform, tx, {
    userId: viewer.userId,
    action: 'merchant.update',
    subject: `merchant:${id}`,
    before,
    after,
    ip: viewer.ip,
  });
  if (after.signType !== before.signType || after.cancelByMd5 !== before.cancelByMd5)
    await tellMerchant(platform, tx, id, 'signTypeChanged');
  return undefined;
}

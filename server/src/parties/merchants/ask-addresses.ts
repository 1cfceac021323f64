import type { askForAddresses as contract } from '@sangam/contract/endpoints/merchant.ts';
import type { z } from 'zod';
import { approvalNeeded, startApproval } from '../../approvals/start.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { lockDoor } from './door.ts';

/** A merchant asks to change its own addresses. Nothing changes before an admin agrees (1205). */
export async function askForAddresses(
  platform: Platform,
  viewer: Viewer,
  { reason, ...lists }: z.output<typeof contract.input>,
): Promise<Refusal> {
  const id = viewer.merchantId;
  if (viewer.role !== 'merchant' || id === null) return refuse('forbidden');
  const asked = await platform.db.tx(async (tx) => {
    const before = await lockDoor(tx, id);
    if (!before) return refuse('notFound');
    return startApproval(platform, tx, viewer, {
      kind: 'ownAddresses',
      subjectKind: 'merchant',
      subjectId: id,
      payload: { input: { id: String(id), ...lists }, before },
      reason,
      sole: true,
    });
  });
  return isRefusal(asked) ? asked : approvalNeeded(asked);
}

import { APPROVAL_RULES, type ApprovalKind } from '@sangam/contract/approvals.ts';
import { audit } from '../platform/audit/record.ts';
import { DAY } from '../platform/clock.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { refuse, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { SubjectKind } from './approval.ts';
import { expireOverdue } from './expire.ts';
import { findConflicting, insertApproval } from './store.ts';

const LIFE = DAY;

export interface ApprovalRequest {
  /** Given where something outside had to know it before. The answer names another id if another such request waits. */
  readonly id?: bigint;
  readonly kind: ApprovalKind;
  readonly subjectKind: SubjectKind;
  readonly subjectId: bigint;
  /** JSON: amounts as plain numbers, ids as text. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** Secrets, sealed by the vault and stored apart from the payload, because the payload is shown. */
  readonly sealed?: Buffer;
  readonly reason: string | null;
  /** A double press makes one request: the same key of the same user answers the id of the first request. */
  readonly requestKey?: string | undefined;
  /**
   * Only one request of this kind, subject and currency may wait. A further one that
   * asks for the same answers its id; one that asks for something else is refused (`otherRequestWaits`).
   */
  readonly sole: boolean;
}

export interface Started {
  readonly todoId: bigint;
}

/**
 * Writes a request for approval in the caller's transaction. The caller must commit it and then answer `approvalNeeded`: a
 * refusal from inside the transaction would roll the request back.
 */
export async function startApproval(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  request: ApprovalRequest,
): Promise<Started | Refusal> {
  if (!APPROVAL_RULES[request.kind].start.includes(viewer.role)) return refuse('forbidden');
  const now = platform.clock.now();
  const row = {
    id: request.id ?? platform.ids.next(),
    kind: request.kind,
    subjectKind: request.subjectKind,
    subjectId: request.subjectId,
    payload: request.payload,
    sealed: request.sealed ?? null,
    reason: request.reason,
    startedBy: viewer.userId,
    startedAs: viewer.partyRole ? `${viewer.role}:${viewer.partyRole}` : viewer.role,
    startedAt: now,
    expiresAt: new Date(now.getTime() + LIFE),
    requestKey: request.requestKey ?? null,
    isSole: request.sole,
  };
  await expireOverdue(platform, tx, row);
  if (!(await insertApproval(tx, row))) {
    const found = await findConflicting(tx, row);
    // Without one, the conflicting request was decided meanwhile, or the key belongs to another request.
    if (!found) return refuse('conflict');
    return found.isSame ? { todoId: found.id } : refuse('conflict', {}, { reason: 'otherRequestWaits' });
  }
  await audit(platform, tx, {
    userId: viewer.userId,
    action: 'approval.start',
    subject: `approval:${row.id}`,
    after: {
      kind: row.kind,
      subject: `${row.subjectKind}:${row.subjectId}`,
      payload: row.payload,
    },
    reason: row.reason,
    ip: viewer.ip,
  });
  return { todoId: row.id };
}

/** The answer of a command once its request is committed. */
export function approvalNeeded({ todoId }: Started): Refusal {
  return refuse('approvalNeeded', {}, { todoId: String(todoId) });
}

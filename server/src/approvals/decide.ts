import { APPROVAL_RULES, type ApprovalKind, type ApprovalStatus } from '@sangam/contract/approvals.ts';
import { duringCall } from '../platform/audit/call.ts';
import { audit } from '../platform/audit/record.ts';
import type { Tx } from '../platform/db/database.ts';
import { notify } from '../inbox/notify.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { Approval, ApprovalHandlers, ApprovalResult } from './approval.ts';
import { notIndependent } from './independence.ts';
import { endApproval, isStarterUnchanged, lockApproval } from './store.ts';

export interface Decision {
  readonly id: bigint;
  readonly status: ApprovalStatus;
  readonly result: ApprovalResult | null;
}

interface Decided {
  readonly kind: ApprovalKind;
  readonly decision: Decision;
}

/**
 * Approves or refuses a request of somebody else. An approved request is executed in this same transaction, under the request's
 * lock: once or not at all. A refused execution leaves it pending. The same decision by the same user again gets the same
 * answer.
 */
export async function decide(
  platform: Platform,
  handlers: ApprovalHandlers,
  viewer: Viewer,
  input: {
    readonly id: bigint;
    readonly approve: boolean;
    readonly reason?: string | undefined;
    readonly code?: string | undefined;
  },
): Promise<Decision | Refusal> {
  if (input.approve) {
    const approval = await platform.db.tx((tx) => lockForDecision(platform, tx, viewer, input));
    if (isRefusal(approval)) return approval;
    const { before } = handlers[approval.kind];
    const refused =
      closedAs(platform, approval) === undefined && (await before?.(platform, approval, viewer, input.code));
    if (refused) return refused;
  }
  const outcome = await platform.db.tx(async (tx): Promise<Decided | Refusal> => {
    const approval = await lockForDecision(platform, tx, viewer, input);
    if (isRefusal(approval)) return approval;
    const status = input.approve ? 'approved' : 'refused';
    if (approval.decidedBy === viewer.userId && approval.status === status) {
      return { kind: approval.kind, decision: { id: approval.id, status, result: approval.result } };
    }
    const closed = closedAs(platform, approval);
    if (closed) return refuse('conflict', {}, { status: closed });
    const result = input.approve
      ? await duringCall({ approvalId: approval.id }, () =>
          handlers[approval.kind].execute(platform, tx, approval, viewer),
        )
      : null;
    if (isRefusal(result)) return result;
    const end = { status, decidedBy: viewer.userId, reason: input.reason ?? null, result } as const;
    await endApproval(tx, approval.id, { ...end, at: platform.clock.now() });
    await record(platform, tx, viewer, approval, input.approve ? 'approval.approve' : 'approval.refuse', end);
    await tellStarter(platform, tx, approval, end);
    return { kind: approval.kind, decision: { id: approval.id, status, result } };
  });
  if (isRefusal(outcome)) return outcome;
  const { kind, decision } = outcome;
  if (input.approve) await handlers[kind].after?.(platform);
  return decision;
}

/** Locks the request and answers it, if this viewer may decide it. */
export async function lockForDecision(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  { id, approve }: { readonly id: bigint; readonly approve: boolean },
): Promise<Approval | Refusal> {
  const approval = await lockApproval(tx, id);
  if (!approval) return refuse('notFound');
  const mayDecide = APPROVAL_RULES[approval.kind].decide.includes(viewer.role);
  if (!mayDecide || approval.startedBy === viewer.userId) return refuse('forbidden');
  const people = { starter: approval.startedBy, decider: viewer.userId, at: platform.clock.now() };
  // Everybody may refuse, and a repeated decision is answered again.
  if (!approve || approval.status !== 'pending') return approval;
  // The user who asked may be deleted or have another role by now, perhaps because of another request.
  if (!(await isStarterUnchanged(tx, approval))) return refuse('conflict', {}, { reason: 'starterChanged' });
  return (await notIndependent(tx, people)) ?? approval;
}

/** Withdraws the viewer's own request that nobody has decided. */
export function withdraw(
  platform: Platform,
  viewer: Viewer,
  id: bigint,
): Promise<Pick<Decision, 'id' | 'status'> | Refusal> {
  return platform.db.tx(async (tx) => {
    const approval = await lockApproval(tx, id);
    if (approval?.startedBy !== viewer.userId) return refuse('notFound');
    const status = 'withdrawn';
    if (approval.status === status) return { id, status };
    const closed = closedAs(platform, approval);
    if (closed) return refuse('conflict', {}, { status: closed });
    const end = { status, decidedBy: null, reason: null, result: null } as const;
    await endApproval(tx, id, { ...end, at: platform.clock.now() });
    await record(platform, tx, viewer, approval, 'approval.withdraw', end);
    return { id, status };
  });
}

function tellStarter(
  platform: Platform,
  tx: Tx,
  { kind, subjectId, startedBy }: Approval,
  { status, reason }: { readonly status: 'approved' | 'refused'; readonly reason: string | null },
): Promise<void> {
  const to = { userIds: [startedBy] };
  const data = { request: kind, subject: String(subjectId) };
  return status === 'approved'
    ? notify(platform, tx, to, 'requestApproved', data)
    : notify(platform, tx, to, 'requestRefused', { ...data, reason: reason ?? '–' });
}

/** The final status of a request, if it has one. An overdue request is expired, even before the sweep marks it. */
export function closedAs(platform: Platform, approval: Approval): ApprovalStatus | undefined {
  if (approval.status !== 'pending') return approval.status;
  return approval.expiresAt.getTime() <= platform.clock.now().getTime() ? 'expired' : undefined;
}

async function record(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  approval: Approval,
  action: string,
  { reason, ...end }: { readonly reason: string | null },
): Promise<void> {
  const entry = {
    userId: viewer.userId,
    action,
    subject: `approval:${approval.id}`,
    before: {
      kind: approval.kind,
      subject: `${approval.subjectKind}:${approval.subjectId}`,
      payload: approval.payload,
      startedBy: String(approval.startedBy),
    },
    after: { ...end, decidedBy: String(viewer.userId) },
    reason,
    ip: viewer.ip,
  };
  await duringCall({ approvalId: approval.id }, () => audit(platform, tx, entry));
}

import type { ApprovalKind, ApprovalStatus } from '@sangam/contract/approvals.ts';
import type { Currency } from '@sangam/contract/money.ts';
import type { z } from 'zod';
import type { Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';

export type SubjectKind =
  | 'order'
  | 'merchant'
  | 'supplier'
  | 'account'
  | 'payoutBatch'
  | 'payScript'
  | 'setting'
  | 'message'
  | 'system'
  | 'ipRule'
  | 'botGroup'
  | 'listedName'
  | 'accessReview'
  | 'export'
  | 'user';

/** A request of one user that another user decides. */
export interface Approval<Payload = unknown> {
  readonly id: bigint;
  readonly kind: ApprovalKind;
  readonly subjectKind: SubjectKind;
  readonly subjectId: bigint;
  readonly payload: Payload;
  /** Secrets that the approval puts in force, sealed by the vault. No list or audit row shows them. */
  readonly sealed: Buffer | null;
  readonly reason: string | null;
  readonly status: ApprovalStatus;
  readonly startedBy: bigint;
  readonly startedAt: Date;
  readonly expiresAt: Date;
  readonly decidedBy: bigint | null;
  readonly result: ApprovalResult | null;
}

/** Result of an execution, as JSON. JSON has no bigint, so amounts are plain numbers, in a payload too. */
export type ApprovalResult = Readonly<Record<string, unknown>>;

/** The part of a payload that lists show. */
export interface ApprovalSummary {
  /** Minor units. */
  readonly amount: number | null;
  readonly currency: Currency | null;
}

/**
 * One kind of request: how its payload is read, how it is executed, and what a list shows. The contract says who starts and who
 * decides it. The room that executes the kind makes the handler; server/src/app/approval-kinds.ts gathers the handlers.
 */
export interface ApprovalHandler {
  readonly kind: ApprovalKind;
  /** Calls outside services before the transaction of an approval. It may be called more than once. */
  before?(
    platform: Platform,
    approval: Approval,
    decider: Viewer,
    code: string | undefined,
  ): Promise<Refusal | undefined>;
  /**
   * Does what was approved, in the transaction of the decision and as the user who decides. A refusal rolls back both: the
   * request stays pending and the decider sees the reason.
   */
  execute(platform: Platform, tx: Tx, approval: Approval, decider: Viewer): Promise<ApprovalResult | Refusal>;
  /** Runs after the commit and puts the change in force on this node at once; without it the node would notice within a second. */
  after?(platform: Platform): Promise<void>;
  summary(payload: unknown): ApprovalSummary;
  readonly payload: z.ZodType;
}

interface HandlerOf<Payload> {
  readonly kind: ApprovalKind;
  readonly payload: z.ZodType<Payload>;
  before?(
    platform: Platform,
    approval: Approval<Payload>,
    decider: Viewer,
    code: string | undefined,
  ): Promise<Refusal | undefined>;
  execute(
    platform: Platform,
    tx: Tx,
    approval: Approval<Payload>,
    decider: Viewer,
  ): Promise<ApprovalResult | Refusal>;
  after?(platform: Platform): Promise<void>;
  summary(payload: Payload): ApprovalSummary;
}

/**
 * A kind with the type of its payload. Another version may have written the stored payload, so it is parsed. A payload that
 * this version cannot read is shown without a sum, and nobody can approve it.
 */
export function approvalHandler<Payload>(handler: HandlerOf<Payload>): ApprovalHandler {
  const { kind, payload, before, after } = handler;
  async function withPayload<Result>(
    approval: Approval,
    act: (read: Approval<Payload>) => Promise<Result>,
  ): Promise<Result | Refusal> {
    const read = payload.safeParse(approval.payload);
    return read.success
      ? act({ ...approval, payload: read.data })
      : refuse('conflict', {}, { reason: 'otherVersion' });
  }
  return {
    kind,
    payload,
    ...(before && {
      before: (platform, approval, decider, code) =>
        withPayload(approval, (read) => before(platform, read, decider, code)),
    }),
    execute: (platform, tx, approval, decider) =>
      withPayload(approval, (read) => handler.execute(platform, tx, read, decider)),
    ...(after && { after }),
    summary: (stored) => {
      const read = payload.safeParse(stored);
      return read.success ? handler.summary(read.data) : { amount: null, currency: null };
    },
  };
}

export type ApprovalHandlers = Readonly<Record<ApprovalKind, ApprovalHandler>>;

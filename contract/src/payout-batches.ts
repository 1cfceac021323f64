import { type PartyActor, hasDuty } from './party-roles.ts';
import type { Role } from './roles.ts';

/** A batch of payouts on its way through the bank's file. */
export const BATCH_STATUSES = ['prepared', 'exported', 'sent', 'closed', 'cancelled'] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];

/** What became of one payout of a batch. 'returned': out of the batch unpaid, and waiting again (or withdrawn since). */
export const BATCH_ROW_STATES = [
  'pending',
  'completed',
  'failed',
  'reversed',
  'rejected',
  'returned',
] as const;
export type BatchRowState = (typeof BATCH_ROW_STATES)[number];

/** Orders a batch, or a merchant's upload, may hold at most. */
export const MOST_BATCH_ORDERS = 500;

export const BATCH_ACTIONS = [
  'export',
  'markSent',
  'uploadResult',
  'confirm',
  'handle',
  'close',
  'cancel',
] as const;
export type BatchAction = (typeof BATCH_ACTIONS)[number];

export const BATCH_EXCEPTION_ACTIONS = ['retry', 'reject', 'return'] as const;
export type BatchExceptionAction = (typeof BATCH_EXCEPTION_ACTIONS)[number];

const BATCH_ROLES: readonly Role[] = ['superAdmin', 'admin', 'customerService', 'supplier'];

/** Which status allows which action; whose batch it is, is the viewer's scope. */
const ALLOWED: Readonly<Record<BatchAction, readonly BatchStatus[]>> = {
  export: ['prepared', 'exported', 'sent', 'closed'],
  markSent: ['exported'],
  uploadResult: ['sent', 'closed'],
  confirm: ['sent', 'closed'],
  handle: ['prepared', 'exported', 'sent', 'closed'],
  close: ['sent'],
  cancel: ['prepared', 'exported'],
};

/** The one table of batch actions: the server enforces it, the console draws its buttons from what it sends. */
export function batchActions(
  actor: PartyActor & { readonly role: Role },
  status: BatchStatus,
): BatchAction[] {
  if (!BATCH_ROLES.includes(actor.role) || !hasDuty(actor, 'money')) return [];
  return BATCH_ACTIONS.filter((action) => ALLOWED[action].includes(status));
}

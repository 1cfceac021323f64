import { type PartyActor, hasDuty } from './party-roles.ts';
import type { Role } from './roles.ts';

/** The statuses of a batch of payouts that is paid by a bank file. */
export const BATCH_STATUSES = ['prepared', 'exported', 'sent', 'closed', 'cancelled'] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];

/** The states of a payout in a batch. 'returned': taken out of the batch unpaid; it waits again, or was withdrawn since. */
export const BATCH_ROW_STATES = [
  'pending',
  'completed',
  'failed',
  'reversed',
  'rejected',
  'returned',
] as const;
export type BatchRowState = (typeof BATCH_ROW_STATES)[number];

/** The most orders in a batch or in a merchant's upload. */
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

/** Which action is allowed in which status. The viewer's scope decides about whose batches. */
const ALLOWED: Readonly<Record<BatchAction, readonly BatchStatus[]>> = {
  export: ['prepared', 'exported', 'sent', 'closed'],
  markSent: ['exported'],
  uploadResult: ['sent', 'closed'],
  confirm: ['sent', 'closed'],
  handle: ['prepared', 'exported', 'sent', 'closed'],
  close: ['sent'],
  cancel: ['prepared', 'exported'],
};

/** The one table of batch actions: the server enforces it and sends the result, from which the console draws its buttons. */
export function batchActions(
  actor: PartyActor & { readonly role: Role },
  status: BatchStatus,
): BatchAction[] {
  if (!BATCH_ROLES.includes(actor.role) || !hasDuty(actor, 'money')) return [];
  return BATCH_ACTIONS.filter((action) => ALLOWED[action].includes(status));
}

import { COLLECTION_TRANSITIONS } from '@sangam/contract/orders.ts';
import { transitionsOf } from '../history/transition.ts';

/** The only way a collection order's status changes. */
export const { transition, transitionFrom } = transitionsOf('collection_orders', COLLECTION_TRANSITIONS, {
  account_id: 'bigint',
  agent_commission: 'bigint',
  allocated_at: 'timestamptz',
  expires_at: 'timestamptz',
  fee: 'bigint',
  paid_at: 'timestamptz',
  payable: 'bigint',
  received: 'bigint',
  supplement_status: 'smallint',
  supplier_commission: 'bigint',
  supplier_id: 'bigint',
  told_at: 'timestamptz',
  told_attempt: 'int',
  utr: 'text',
});

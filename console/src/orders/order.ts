import type { z } from 'zod';
import type { CollectionOrderRow } from '@sangam/contract/endpoints/order.ts';
import type { getPayoutDetail, PayoutOrderRow } from '@sangam/contract/endpoints/payout.ts';
import type { Tone } from '../figures/status.tsx';

/** Fields that orders of both directions have. */
export type AnyOrder = Omit<
  Pick<CollectionOrderRow, keyof PayoutOrderRow & keyof CollectionOrderRow>,
  'actions' | 'orderStatusId'
> & { readonly orderStatusId: number };

/** What an order of either direction has beside its fields: timeline, messages, callbacks, ledger entries. */
export type Story = Omit<z.infer<(typeof getPayoutDetail)['output']>, 'order'>;

/** The statuses of one direction, for lists and drawers. */
export interface StatusTable {
  readonly names: 'collectionStatus' | 'payoutStatus';
  readonly tones: Readonly<Record<number, Tone>>;
  /** In the order of an order's life; failures last. */
  readonly sequence: readonly number[];
  /** Statuses in which a process is working on the order. */
  readonly busy: readonly number[];
}

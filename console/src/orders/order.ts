import type { z } from 'zod';
import type { CollectionOrderRow } from '@sangam/contract/endpoints/order.ts';
import type { getPayoutDetail, PayoutOrderRow } from '@sangam/contract/endpoints/payout.ts';
import type { Tone } from '../figures/status.tsx';

/** Fields that orders of both directions have. */
export type AnyOrder = Omit<
  Pick<CollectionOrderRow, keyof PayoutOrderRow & keyof CollectionOrderRow>,
  'actions' | 'orderStatusId'
> & { readonly orderStatusId: number };

/** What belongs to an order of either direction: timeline, messages, callbacks, ledger entries. */
export type Story = Omit<z.infer<(typeof getPayoutDetail)['output']>, 'order'>;

/** The statuses of one direction, as lists and drawers show them. */
export interface StatusTable {
  readonly names: 'collectionStatus' | 'payoutStatus';
  readonly tones: Readonly<Record<number, Tone>>;
  /** In the order an order passes through them; what went wrong stands last. */
  readonly sequence: readonly number[];
  /** Something is at work on the order by itself. */
  readonly busy: readonly number[];
}

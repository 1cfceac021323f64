import type { StatusTable } from '../orders/order.ts';

export const COLLECTION_STATUSES: StatusTable = {
  names: 'collectionStatus',
  tones: {
    0: 'quiet',
    1: 'pending',
    2: 'quiet',
    3: 'positive',
    4: 'negative',
    5: 'warning',
    6: 'pending',
  },
  sequence: [0, 1, 6, 3, 4, 2, 5],
  busy: [6],
};

import type { StatusTable } from './order.ts';

export const PAYOUT_STATUSES: StatusTable = {
  names: 'payoutStatus',
  tones: {
    0: 'quiet',
    1: 'pending',
    2: 'pending',
    3: 'positive',
    4: 'quiet',
    5: 'warning',
    6: 'negative',
    7: 'warning',
    8: 'pending',
    9: 'negative',
  },
  sequence: [0, 1, 8, 2, 3, 7, 9, 5, 6, 4],
  busy: [2, 8],
};

import type { UserInfo } from '@sangam/contract/endpoints/user.ts';
import type { Screen } from '@sangam/contract/screens.ts';
import { isStaff } from '../session/viewer.ts';

/** Which sides of an order a screen shows its viewer. The server sends no more than this anyway. */
export interface OrderVisibility {
  readonly merchants: boolean;
  readonly suppliers: boolean;
  readonly accounts: boolean;
  readonly fees: boolean;
  readonly commissions: boolean;
  readonly origin: boolean;
  readonly allocation: boolean;
  readonly notes: boolean;
  /** Requests about it that wait for a second person: no merchant asks for one. */
  readonly requests: boolean;
  /** Whoever answers the customer: suppliers have none. */
  readonly replies: boolean;
  /** Filters find by a part of a payer's, or of a payee's, name: by no more of it than rows show. */
  readonly payers: boolean;
  readonly payees: boolean;
  /** Filters find by the whole name: a merchant's customers are masked to it, but its own. */
  readonly customers: boolean;
  /** Marks that say what an order is suspected of. */
  readonly suspicions: boolean;
  /** Whether the bank has borne out what somebody says of a payout: not told to merchants. */
  readonly proofs: boolean;
}

export function orderVisibility(viewer: UserInfo, screen: Screen): OrderVisibility {
  const staff = isStaff(viewer);
  const merchant = viewer.access === 'merchant';
  const team = screen.variant === 'team';
  return {
    merchants: staff,
    suppliers: staff || team,
    accounts: !merchant,
    fees: staff || merchant,
    commissions: !merchant,
    origin: staff || merchant,
    allocation: staff && viewer.access !== 'technicalSupport',
    notes: staff,
    requests: !merchant,
    replies: staff || merchant,
    payers: staff,
    // A supplier sees the payees whole that it has to pay, an agent none of its team's.
    payees: !merchant && !team,
    customers: merchant,
    suspicions: staff,
    proofs: !merchant,
  };
}

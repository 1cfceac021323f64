import type { UserInfo } from '@sangam/contract/endpoints/user.ts';
import type { Screen } from '@sangam/contract/screens.ts';
import { isStaff } from '../session/viewer.ts';

/** Which parts of an order a screen shows its viewer. The server sends no more than this in any case. */
export interface OrderVisibility {
  readonly merchants: boolean;
  readonly suppliers: boolean;
  readonly accounts: boolean;
  readonly fees: boolean;
  readonly commissions: boolean;
  readonly origin: boolean;
  readonly allocation: boolean;
  readonly notes: boolean;
  /** Requests about the order that wait for a second person. Merchants make none. */
  readonly requests: boolean;
  /** Ready texts for the customer. Suppliers have no customers. */
  readonly replies: boolean;
  /** Filters that find by part of a payer's name. They need no more of a name than the rows show. */
  readonly payers: boolean;
  readonly payees: boolean;
  /** Filters that find by the whole name. A merchant sees its customers' names masked, so it must know the whole name already. */
  readonly customers: boolean;
  /** Marks that name a suspicion. */
  readonly suspicions: boolean;
  /** Whether the bank has confirmed what somebody claims about a payout. Merchants are not shown this. */
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
    // A supplier sees the payees that it has to pay in full; an agent sees none of its team's payees.
    payees: !merchant && !team,
    customers: merchant,
    suspicions: staff,
    proofs: !merchant,
  };
}

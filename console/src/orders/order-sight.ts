import type { UserInfo } from '@sangam/contract/endpoints/user.ts';
import type { Screen } from '@sangam/contract/screens.ts';
import { isStaff } from '../session/viewer.ts';

/** Which sides of an order a screen shows its viewer. The server sends no more than this anyway. */
export interface OrderSight {
  readonly merchants: boolean;
  readonly suppliers: boolean;
  readonly accounts: boolean;
  readonly fees: boolean;
  readonly commissions: boolean;
  readonly origin: boolean;
  readonly allocation: boolean;
  readonly notes: boolean;
}

export function orderSight(viewer: UserInfo, screen: Screen): OrderSight {
  const staff = isStaff(viewer);
  const merchant = viewer.access === 'merchant';
  return {
    merchants: staff,
    suppliers: staff || screen.variant === 'team',
    accounts: !merchant,
    fees: staff || merchant,
    commissions: !merchant,
    origin: staff || merchant,
    allocation: staff && viewer.access !== 'technicalSupport',
    notes: staff,
  };
}

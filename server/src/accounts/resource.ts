import type { AccountKind, MpesaType } from '@sangam/contract/account-kinds.ts';
import { hasDuty } from '@sangam/contract/party-roles.ts';
import type { Role } from '@sangam/contract/roles.ts';
import { SECOND } from '../platform/clock.ts';
import { type Sql, sql } from '../platform/db/database.ts';
import { maskAccountNumber, maskAddress, maskPhone, maskVpa } from '../platform/masking.ts';
import type { SettingValues } from '../platform/settings/settings.ts';
import { scopeOf, type Viewer } from '../platform/viewer.ts';

/** Who may open and close accounts: the desk any account, a supplier its own (scope). */
const TOGGLE_ROLES: readonly Role[] = ['superAdmin', 'admin', 'customerService', 'supplier'];
/** Who makes and changes accounts: admins any account, a supplier its own (scope). */
export const KEEPERS: readonly Role[] = ['superAdmin', 'admin', 'supplier'];

export function mayToggle(viewer: Viewer): boolean {
  return TOGGLE_ROLES.includes(viewer.role) && hasDuty(viewer, 'accounts');
}

/** SQL condition of the accounts (alias `a`) a viewer may see. */
export function accountScope(viewer: Viewer): Sql {
  return scopeOf(viewer, { supplier: sql`a.supplier_id` });
}

/** SQL: the account's monitor (alias `m`) was heard within MonitorLiveTime. */
export function monitorOnline(settings: SettingValues, now: Date): Sql {
  const since = new Date(now.getTime() - settings.MonitorLiveTime * SECOND);
  return sql`coalesce(m.last_seen_at >= ${since}, false)`;
}

/** The owner sees an account number and VPA whole; everybody else sees them masked. */
export function owns(viewer: Viewer, supplierId: bigint): boolean {
  return viewer.role === 'supplier' && viewer.supplierId === supplierId;
}

export function maskedNumber(account: {
  readonly kind: AccountKind;
  readonly accountNumber: string;
  readonly mpesaType: MpesaType | null;
}): string {
  if (account.kind === 'usdt') return maskAddress(account.accountNumber);
  return account.mpesaType === 'phone'
    ? maskPhone(account.accountNumber)
    : maskAccountNumber(account.accountNumber);
}

export function maskedVpa({ vpa }: { readonly vpa: string | null }): string | null {
  return vpa === null ? null : maskVpa(vpa);
}

import type { Locale } from '@sangam/contract/locale.ts';
import type { PartyRole } from '@sangam/contract/party-roles.ts';
import { STAFF, type Role } from '@sangam/contract/roles.ts';
import { type Sql, empty, sql } from './db/database.ts';

/**
 * Who asks: every query of rows takes it, so that forgetting whose rows may be seen does not compile.
 */
export interface Viewer {
  readonly userId: bigint;
  readonly account: string;
  readonly role: Role;
  readonly sessionId: bigint;
  readonly merchantId: bigint | null;
  readonly supplierId: bigint | null;
  /** Of a further user of a merchant or supplier: what it may do for it. The user a party was made with may do all. */
  readonly partyRole?: PartyRole;
  readonly ip: string;
  readonly locale: Locale;
  /** Who looks, where the console is seen as another: all else is what that other one has. */
  readonly seenBy?: { readonly userId: bigint; readonly account: string; readonly role: Role };
}

export function isStaff(viewer: Viewer): boolean {
  return STAFF.includes(viewer.role);
}

/** A user's name as the viewer may know it: merchants and suppliers are not told who of the staff it was, nor who of others. */
export function nameFor<Name extends string | null>(
  viewer: Viewer,
  name: Name,
  { isOwn }: { readonly isOwn: boolean },
): Name | 'operator' {
  return name === null || isOwn || isStaff(viewer) ? name : 'operator';
}

/** A supplier's own rows, those of the suppliers below it, or both. */
export type Scope = 'own' | 'team' | 'group';

/**
 * SQL condition of the rows a viewer may see, for a table with these owner columns. Staff see all; a supplier
 * its own rows, with `team` those of the suppliers below it, all levels, with `group` both; a merchant its own.
 */
export function scopeOf(
  viewer: Viewer,
  columns: { readonly merchant?: Sql; readonly supplier?: Sql },
  scope: Scope = 'own',
): Sql {
  if (isStaff(viewer)) return empty;
  if (viewer.role === 'supplier' && viewer.supplierId !== null && columns.supplier) {
    const own = sql`${columns.supplier} = ${viewer.supplierId}`;
    if (scope === 'own') return sql`and ${own}`;
    const team = sql`${columns.supplier} in ${teamOf(viewer.supplierId)}`;
    return scope === 'team' ? sql`and ${team}` : sql`and (${own} or ${team})`;
  }
  if (viewer.role === 'merchant' && viewer.merchantId !== null && columns.merchant) {
    return sql`and ${columns.merchant} = ${viewer.merchantId}`;
  }
  return sql`and false`;
}

/** An agent's agent's agent …: so many levels may stand above a supplier. */
export const MOST_AGENT_LEVELS = 5;

/** SQL, in brackets: ids of the suppliers an agent brought, those they brought, and so on. */
export function teamOf(agentId: bigint): Sql {
  return sql`(
    with recursive team (id, level) as (
      select id, 1 from suppliers where agent_id = ${agentId}
      union all
      select s.id, t.level + 1 from suppliers s join team t on s.agent_id = t.id where t.level < ${MOST_AGENT_LEVELS}
    ) select id from team)`;
}

import type { Locale } from '@sangam/contract/locale.ts';
import type { PartyRole } from '@sangam/contract/party-roles.ts';
import { STAFF, type Role } from '@sangam/contract/roles.ts';
import { type Sql, empty, sql } from './db/database.ts';

/** Who asks. Every query of rows takes a Viewer, so that code which forgets whose rows may be seen does not compile. */
export interface Viewer {
  readonly userId: bigint;
  readonly account: string;
  readonly role: Role;
  readonly sessionId: bigint;
  readonly merchantId: bigint | null;
  readonly supplierId: bigint | null;
  /** What a further user of a merchant or supplier may do for it. Undefined for the user created with the party, who may do everything. */
  readonly partyRole?: PartyRole;
  readonly ip: string;
  readonly locale: Locale;
  /** The real user, when the console is seen as another user. All other fields are those of that other user. */
  readonly seenBy?: { readonly userId: bigint; readonly account: string; readonly role: Role };
}

export function isStaff(viewer: Viewer): boolean {
  return STAFF.includes(viewer.role);
}

/** A user's name as the viewer may see it. Merchants and suppliers do not see names of staff or of other parties' users. */
export function nameFor<Name extends string | null>(
  viewer: Viewer,
  name: Name,
  { isOwn }: { readonly isOwn: boolean },
): Name | 'operator' {
  return name === null || isOwn || isStaff(viewer) ? name : 'operator';
}

/** A supplier's own rows ('own'), the rows of the suppliers below it ('team'), or both ('group'). */
export type Scope = 'own' | 'team' | 'group';

/**
 * SQL condition for the rows that a viewer may see, in a table with these owner columns. Staff see all rows, a merchant its own. A supplier
 * sees its own rows; with 'team' those of the suppliers below it on all levels, with 'group' both.
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

/** How many levels of agents may stand above a supplier. */
export const MOST_AGENT_LEVELS = 5;

/** SQL in brackets: the ids of the suppliers that an agent brought, of those that they brought, and so on. */
export function teamOf(agentId: bigint): Sql {
  return sql`(
    with recursive team (id, level) as (
      select id, 1 from suppliers where agent_id = ${agentId}
      union all
      select s.id, t.level + 1 from suppliers s join team t on s.agent_id = t.id where t.level < ${MOST_AGENT_LEVELS}
    ) select id from team)`;
}

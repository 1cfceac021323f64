import type { AlertKind } from '@sangam/contract/alerts.ts';
import { type Queryable, sql } from '../platform/db/database.ts';

export interface Alert {
  readonly id: bigint;
  readonly kind: AlertKind;
  /** A number or a name. Unique among the open alerts of the kind. */
  readonly subject: string;
  readonly data: Readonly<Record<string, string | number>>;
  readonly merchantId: bigint | null;
  readonly supplierId: bigint | null;
  readonly openedAt: Date;
  readonly acknowledgedAt: Date | null;
  readonly acknowledgedName: string | null;
  readonly closedAt: Date | null;
}

export const ALERT_COLUMNS = sql`a.id, a.kind, a.subject, a.data, a.merchant_id as "merchantId",
  a.supplier_id as "supplierId", a.opened_at as "openedAt", a.acknowledged_at as "acknowledgedAt",
  a.acknowledged_name as "acknowledgedName", a.closed_at as "closedAt"`;

export async function findAlert(db: Queryable, id: bigint): Promise<Alert | undefined> {
  const [row] = await db.query<Alert>(sql`select ${ALERT_COLUMNS} from alerts a where a.id = ${id}`);
  return row;
}

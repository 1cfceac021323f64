import { hot, type Sql, sql, type Tx } from '../db/database.ts';
import { columnNames, unnestRows } from '../db/unnest-rows.ts';
import type { Platform } from '../platform.ts';
import { currentCall } from './call.ts';

export interface AuditEntry {
  readonly userId: bigint | null;
  /** `area.verb`. */
  readonly action: string;
  /** The thing that was changed, such as `user:admin` or `session:123`. */
  readonly subject: string;
  readonly before?: unknown;
  readonly after?: unknown;
  /** The reason, as the person wrote it. */
  readonly reason?: string | null;
  readonly ip: string | null;
}

const ROW = {
  id: 'bigint',
  userId: 'bigint',
  role: 'text',
  action: 'text',
  subject: 'text',
  before: 'jsonb',
  after: 'jsonb',
  reason: 'text',
  ip: 'text',
  device: 'text',
  sessionId: 'bigint',
  approvalId: 'bigint',
  createdAt: 'timestamptz',
} as const;

/** Writes who did what, in the same transaction as the action. */
export async function audit(platform: Platform, tx: Tx, entry: AuditEntry): Promise<void> {
  await tx.query(insertOf(platform, [entry]));
}

/** The same for several actions in one statement. It does not wait for the answer: the transaction fails if this fails. */
export function auditAll(platform: Platform, tx: Tx, entries: readonly AuditEntry[]): void {
  if (entries.length > 0) tx.send(insertOf(platform, entries));
}

function insertOf(platform: Platform, entries: readonly AuditEntry[]): Sql {
  const { device = null, sessionId = null, approvalId = null, seenBy, ...call } = currentCall();
  const role = seenBy?.role ?? call.role ?? null;
  const createdAt = platform.clock.now();
  const rows = entries.map(({ userId, before, after, reason = null, ...entry }) => ({
    ...entry,
    id: platform.ids.next(),
    userId: userId === null ? null : (seenBy?.userId ?? userId),
    role: userId === null ? null : role,
    before,
    after,
    reason,
    device,
    sessionId,
    approvalId,
    createdAt,
  }));
  return hot(
    'write audit',
    sql`insert into audit_log (${columnNames(ROW)}) select * from ${unnestRows(ROW, rows)}`,
  );
}

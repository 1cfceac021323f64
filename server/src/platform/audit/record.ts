import { type Tx, sql } from '../db/database.ts';
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

/** Writes who did what, in the same transaction as the action. */
export async function audit(platform: Platform, tx: Tx, entry: AuditEntry): Promise<void> {
  const { device, sessionId, approvalId, seenBy, ...call } = currentCall();
  const role = seenBy?.role ?? call.role;
  const userId = entry.userId === null ? null : (seenBy?.userId ?? entry.userId);
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  await tx.query(sql`
    insert into audit_log (id, user_id, role, action, subject, before, after, reason, ip, device, session_id, approval_id, created_at)
    values (${platform.ids.next()}, ${userId}, ${(userId !== null && role) || null}, ${entry.action}, ${entry.subject},
            ${json(entry.before)}, ${json(entry.after)}, ${entry.reason ?? null}, ${entry.ip}, ${device ?? null},
            ${sessionId ?? null}, ${approvalId ?? null}, ${platform.clock.now()})`);
}

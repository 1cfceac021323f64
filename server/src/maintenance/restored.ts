import { ADMINS } from '@sangam/contract/roles.ts';
import type { SettingName } from '@sangam/contract/settings.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { signEverybodyOut } from '../access/sign-everybody-out.ts';
import { expireAll } from '../approvals/expire.ts';
import { askAllToResend } from '../evidence/monitors/ask-monitor.ts';
import { notify } from '../inbox/notify.ts';
import { freezeOpenPayouts, skipBatchNumbers } from '../payout/restored.ts';
import { audit } from '../platform/audit/record.ts';
import { DAY } from '../platform/clock.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { lockSetting, storeSetting } from '../platform/settings/settings.ts';

/** In the audit and with each request that it expires. */
const REASON = 'the database was restored';
/** A phone that was offline reports late: its older messages were lost too. */
const LATEST_REPORT = DAY;

/** How many of each the command changed. */
export interface Restored {
  readonly payouts: number;
  readonly requests: number;
  readonly sessions: number;
  readonly monitors: number;
}

/**
 * Makes a database safe that was restored as it stood at `restoredTo`: nothing of it is done a second time by itself
 * (docs/deploying.md#after-a-restore). Call it before any node works on the database. Undefined, and nothing changed: it was done before.
 */
export async function restored(platform: Platform, restoredTo: Date): Promise<Restored | undefined> {
  const done = await platform.db.tx(async (tx) => {
    const now = platform.clock.now();
    const marked = await tx.query(sql`
      insert into restorations (restored_to, done_at) values (${restoredTo}, ${now}) on conflict do nothing returning 1`);
    if (marked.length === 0) return undefined;
    await switchOff(platform, tx, now);
    const sessions = await signEverybodyOut(platform, tx, REASON);
    const requests = await expireAll(platform, tx, REASON);
    const payouts = await freezeOpenPayouts(platform, tx, restoredTo);
    await skipBatchNumbers(tx);
    const from = new Date(restoredTo.getTime() - LATEST_REPORT);
    const monitors = await askAllToResend(platform, tx, { from, to: now, reason: REASON });
    const counts = { payouts, requests, sessions, monitors };
    await audit(platform, tx, {
      userId: null,
      action: 'maintenance.restored',
      subject: 'system',
      after: { restoredTo, ...counts },
      ip: null,
    });
    const time = formatTime(restoredTo);
    await notify(platform, tx, { roles: ADMINS }, 'databaseRestored', { time, count: payouts });
    return counts;
  });
  await platform.settings.refresh();
  return done;
}

/** Until people have compared, merchants create nothing, and no invoice takes a number that an invoice issued since may have. */
const OFF: readonly (readonly [SettingName, unknown])[] = [
  ['enableService', false],
  ['InvoiceIssuer', ''],
];

async function switchOff(platform: Platform, tx: Tx, at: Date): Promise<void> {
  for (const [name, value] of OFF) {
    const before = await lockSetting(tx, name);
    await storeSetting(tx, { name, value, userId: null, at });
    await audit(platform, tx, {
      userId: null,
      action: 'setting.change',
      subject: `setting:${name}`,
      before: { value: before },
      after: { value },
      reason: REASON,
      ip: null,
    });
  }
}

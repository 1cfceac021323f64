import type * as contract from '@sangam/contract/endpoints/maintenance.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { audit } from '../platform/audit/record.ts';
import { MINUTE, SECOND } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { maintenance, readMaintenance } from '../platform/maintenance-mode.ts';
import type { Platform } from '../platform/platform.ts';
import type { Viewer } from '../platform/viewer.ts';

type Mode = z.input<typeof contract.getMaintenanceMode.output>;

/** What consoles show: the maintenance that is on or announced. */
export async function getMode(platform: Platform): Promise<Mode> {
  const found = await readMaintenance(platform);
  if (!found) return { mode: null };
  const at = platform.clock.now();
  const [user] = await platform.db.query<{ account: string }>(
    sql`select account from users where id = ${found.setBy}`,
  );
  const secondsTo = (moment: Date) => Math.round((moment.getTime() - at.getTime()) / SECOND);
  return {
    mode: {
      on: found.beginsAt <= at,
      beginTime: formatTime(found.beginsAt),
      endTime: formatTime(found.endsAt),
      beginsIn: secondsTo(found.beginsAt),
      endsIn: secondsTo(found.endsAt),
      texts: found.texts,
      account: user?.account ?? '',
    },
  };
}

/** Announces or begins maintenance. It replaces an earlier announcement. */
export async function setMode(
  platform: Platform,
  viewer: Viewer,
  { beginsInMinutes, minutes, texts, reason }: z.output<typeof contract.setMaintenanceMode.input>,
): Promise<Record<string, never>> {
  const at = platform.clock.now();
  const beginsAt = new Date(at.getTime() + beginsInMinutes * MINUTE);
  const endsAt = new Date(beginsAt.getTime() + minutes * MINUTE);
  await platform.db.tx(async (tx) => {
    await tx.query(sql`
      insert into maintenance_mode (begins_at, ends_at, texts, set_by, set_at)
      values (${beginsAt}, ${endsAt}, ${JSON.stringify(texts)}, ${viewer.userId}, ${at})
      on conflict (is_only) do update set begins_at = excluded.begins_at, ends_at = excluded.ends_at, texts = excluded.texts,
        set_by = excluded.set_by, set_at = excluded.set_at`);
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'maintenance.set',
      subject: 'system',
      after: { beginsAt, endsAt, texts },
      reason,
      ip: viewer.ip,
    });
  });
  await maintenance(platform).refresh();
  return {};
}

/** Ends maintenance. Does nothing when there is none. */
export async function endMode(
  platform: Platform,
  viewer: Viewer,
  { reason }: z.output<typeof contract.endMaintenanceMode.input>,
): Promise<Record<string, never>> {
  await platform.db.tx(async (tx) => {
    const [before] = await tx.query(
      sql`delete from maintenance_mode returning begins_at as "beginsAt", ends_at as "endsAt"`,
    );
    if (!before) return;
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'maintenance.end',
      subject: 'system',
      before,
      reason,
      ip: viewer.ip,
    });
  });
  await maintenance(platform).refresh();
  return {};
}

import { DAY, HOUR, MINUTE } from '../platform/clock.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import type { Refusal } from '../platform/refusal.ts';
import { exempt, freeze, unfreeze } from '../traffic/freeze.ts';
import { doneAt, must, personOf } from './acting.ts';
import { insertAll } from './bulk.ts';
import { type Incidents, SHARED_ADDRESS } from './incidents.ts';
import type { World } from './world.ts';

/** Writes the client addresses that became abnormal in the past, and what people did about them. */
export async function writeAddresses(
  platform: Platform,
  tx: Tx,
  world: World,
  { bursts }: Incidents,
): Promise<void> {
  const { lookForwardMinutes, perMinuteFreqCount } = (await platform.settings.all()).GlobalSecuritySetting;
  await insertAll(
    tx,
    'abnormal_ips',
    {
      id: 'bigint',
      ip: 'text',
      state: 'text',
      orders: 'int',
      window_minutes: 'int',
      threshold: 'int',
      since: 'timestamptz',
      last_over_at: 'timestamptz',
    },
    bursts.map(({ ip, orders, from, until }) => ({
      id: platform.ids.next(from),
      ip,
      state: 'abnormal',
      orders,
      window_minutes: lookForwardMinutes,
      threshold: perMinuteFreqCount,
      since: new Date(from.getTime() + 5 * MINUTE),
      last_over_at: until,
    })),
  );
  const admin = personOf(world.userIds, 'admin', 'admin');
  const act = async (at: Date, command: (past: Platform) => Promise<object | Refusal>): Promise<void> => {
    must(await doneAt(platform, tx, at, command));
  };
  const [released, frozen] = bursts as [Incidents['bursts'][0], Incidents['bursts'][0]];
  await act(new Date(released.until.getTime() + 20 * MINUTE), (past) =>
    freeze(past, admin, { ipAddress: released.ip, minutes: 2 * 1440, reason: 'Thirty orders, none paid' }),
  );
  await act(new Date(released.until.getTime() + 9 * HOUR), (past) =>
    unfreeze(past, admin, { ipAddress: released.ip, reason: 'A hostel’s shared connection' }),
  );
  await act(new Date(frozen.until.getTime() + 8 * MINUTE), (past) =>
    freeze(past, admin, { ipAddress: frozen.ip, minutes: (7 * DAY) / MINUTE, reason: 'Orders by a script' }),
  );
  await act(new Date(released.from.getTime() - DAY), (past) =>
    exempt(past, admin, { ipAddress: SHARED_ADDRESS, exempt: true, reason: 'A cyber café in Indore' }),
  );
}

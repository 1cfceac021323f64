import { isDeepStrictEqual } from 'node:util';
import type { SettingName } from '@sangam/contract/settings.ts';
import { audit } from '../audit/record.ts';
import type { Platform } from '../platform.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { Viewer } from '../viewer.ts';
import { currentValue } from './settings.ts';
import { lockStored, writeStored } from './store.ts';

/**
 * Puts a new value in force, on this node at once and on the others within a second. The contract has checked its range.
 * Writing the value that stands changes, and audits, nothing.
 */
export async function changeSetting(
  platform: Platform,
  viewer: Viewer,
  name: SettingName,
  value: unknown,
): Promise<void | Refusal> {
  if (viewer.role !== 'superAdmin') return refuse('forbidden');
  await platform.db.tx(async (tx) => {
    const before = currentValue(name, await lockStored(tx, name));
    if (isDeepStrictEqual(before, value)) return;
    await writeStored(tx, { name, value, userId: viewer.userId, at: platform.clock.now() });
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'setting.change',
      subject: `setting:${name}`,
      before: { value: before },
      after: { value },
      ip: viewer.ip,
    });
  });
  return platform.settings.refresh();
}

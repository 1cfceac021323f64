import { isDeepStrictEqual } from 'node:util';
import { SETTINGS, SETTING_NAMES, type Setting, type SettingName } from '@sangam/contract/settings.ts';
import { z } from 'zod';
import { approvalHandler } from '../../approvals/approval.ts';
import { approvalNeeded, startApproval, type Started } from '../../approvals/start.ts';
import { audit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts';
import { lockSetting, storeSetting } from '../../platform/settings/settings.ts';
import { isSecret, plainOf, shownOf, storedOf } from '../../platform/settings/secret.ts';
import type { Viewer } from '../../platform/viewer.ts';

/** A setting's number as the subject of a request. A setting has a name, but a request names its subject by number. */
export const settingNumber = (name: SettingName): bigint => BigInt(SETTING_NAMES.indexOf(name));

/**
 * Puts a new value in force: on this node at once, on the others within a second. The contract has checked its range. A change that weakens
 * a protection waits for a second person (1205). Writing the present value changes nothing and is not audited.
 */
export async function changeSetting(
  platform: Platform,
  viewer: Viewer,
  name: SettingName,
  { value, reason }: { readonly value: unknown; readonly reason: string | null },
): Promise<void | Refusal> {
  if (viewer.role !== 'superAdmin') return refuse('forbidden');
  const outcome = await platform.db.tx(async (tx): Promise<Started | Refusal | undefined> => {
    const before = await lockSetting(tx, name);
    const plain = plainOf(platform, name, before);
    if (isDeepStrictEqual(plain, value)) return undefined;
    const stored = storedOf(platform, name, value);
    const { loosens }: Setting = SETTINGS[name];
    if (loosens?.(plain, value)) {
      return startApproval(platform, tx, viewer, {
        kind: 'settingChange',
        subjectKind: 'setting',
        subjectId: settingNumber(name),
        // A secret is sealed in the request, beside its masked form.
        payload: { name, before: shownOf(platform, name, before), value: shownOf(platform, name, stored) },
        ...(isSecret(name) && { sealed: platform.vault.seal(String(value), ['approvals.sealed', name]) }),
        reason,
        sole: true,
      });
    }
    await write(platform, tx, viewer, { name, before, value: stored, reason });
    return undefined;
  });
  if (isRefusal(outcome)) return outcome;
  if (outcome) return approvalNeeded(outcome);
  return platform.settings.refresh();
}

interface Change {
  readonly name: SettingName;
  readonly before: unknown;
  readonly value: unknown;
  readonly reason: string | null;
  readonly startedBy?: bigint;
}

async function write(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  { name, before, value, reason, startedBy }: Change,
): Promise<void> {
  await storeSetting(tx, { name, value, userId: viewer.userId, at: platform.clock.now() });
  await audit(platform, tx, {
    userId: viewer.userId,
    action: 'setting.change',
    subject: `setting:${name}`,
    before: { value: shownOf(platform, name, before) },
    after: {
      value: shownOf(platform, name, value),
      ...(startedBy !== undefined && { startedBy: String(startedBy) }),
    },
    reason,
    ip: viewer.ip,
  });
}

/** The requested value. If the setting was changed since the request, the request no longer applies. */
export const settingChangeApproval = approvalHandler({
  kind: 'settingChange',
  payload: z.object({ name: z.enum(SETTING_NAMES), before: z.unknown(), value: z.unknown() }),
  summary: () => ({ amount: null, currency: null }),
  async execute(platform, tx, { payload, sealed, startedBy, reason }, decider) {
    const { name } = payload;
    const { schema }: Setting = SETTINGS[name];
    const asked = schema.safeParse(
      sealed === null ? payload.value : platform.vault.open(sealed, ['approvals.sealed', name]),
    );
    const before = await lockSetting(tx, name);
    if (!asked.success || !isDeepStrictEqual(shownOf(platform, name, before), payload.before))
      return refuse('conflict');
    await write(platform, tx, decider, {
      name,
      before,
      value: storedOf(platform, name, asked.data),
      reason,
      startedBy,
    });
    return { name, value: payload.value };
  },
  after: ({ settings }) => settings.refresh(),
});

import type * as contract from '@sangam/contract/endpoints/system-config.ts';
import {
  groupOf,
  isGuarded,
  SETTINGS,
  SETTING_GROUPS,
  SETTING_NAMES,
  type SettingName,
} from '@sangam/contract/settings.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { sql } from '../../platform/db/database.ts';
import { readPage } from '../../platform/db/page.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, type Refusal } from '../../platform/refusal.ts';
import { isSecret, shownOf } from '../../platform/settings/secret.ts';
import type { Viewer } from '../../platform/viewer.ts';

/** Setting names by group, in the order of the contract. */
const BY_GROUP = SETTING_GROUPS.flatMap((group) => SETTING_NAMES.filter((name) => groupOf(name) === group));

/** Every setting with its present value, by group. */
export async function listSettings(platform: Platform): Promise<z.input<typeof contract.getSettings.output>> {
  const [values, changed, pending] = await Promise.all([
    platform.settings.all(),
    platform.db.query<{ name: SettingName; at: Date; account: string | null }>(sql`
      select s.name, s.updated_at as at, u.account from settings s left join users u on u.id = s.updated_by`),
    platform.db.query<{ id: bigint; name: SettingName; value: unknown; account: string }>(sql`
      select a.id, a.payload->>'name' as name, a.payload->'value' as value, u.account
      from approvals a join users u on u.id = a.started_by
      where a.kind = 'settingChange' and a.status = 'pending' and a.expires_at > ${platform.clock.now()}`),
  ]);
  const changeOf = new Map(changed.map((row) => [row.name, row]));
  const pendingOf = new Map(pending.map((row) => [row.name, row]));
  return {
    list: BY_GROUP.map((name) => {
      const { kind, fallback, range } = SETTINGS[name];
      const [change, request] = [changeOf.get(name), pendingOf.get(name)];
      return {
        name,
        group: groupOf(name),
        kind,
        value: shownOf(platform, name, values[name]),
        secret: isSecret(name),
        fallback,
        range,
        guarded: isGuarded(name),
        changeTime: change ? formatTime(change.at) : null,
        changedBy: change?.account ?? null,
        pending: request
          ? { todoId: String(request.id), value: request.value, startedBy: request.account }
          : null,
      };
    }),
  };
}

interface HistoryRow {
  readonly id: bigint;
  readonly at: Date;
  readonly account: string | null;
  readonly before: { readonly value: unknown };
  readonly after: { readonly value: unknown };
  readonly startedBy: string | null;
  readonly reason: string | null;
}

/** The changes of one setting, newest first, from the audit log. */
export async function listSettingHistory(
  platform: Platform,
  _viewer: Viewer,
  input: z.output<typeof contract.getSettingHistory.input>,
): Promise<z.input<typeof contract.getSettingHistory.output> | Refusal> {
  const page = await readPage<HistoryRow>(platform, input, {
    columns: sql`a.id, a.created_at as at, u.account, a.before, a.after, s.account as "startedBy", a.reason`,
    from: sql`
      from audit_log a
      left join users u on u.id = a.user_id
      left join users s on s.id = (a.after->>'startedBy')::bigint
      where a.action = 'setting.change' and a.subject = ${`setting:${input.name}`}`,
    key: sql`a.id`,
  });
  if (isRefusal(page)) return page;
  return {
    ...page,
    list: page.list.map(({ id, at, account, before, after, startedBy, reason }) => ({
      id: String(id),
      time: formatTime(at),
      account,
      before: before.value,
      after: after.value,
      startedBy,
      reason,
    })),
  };
}

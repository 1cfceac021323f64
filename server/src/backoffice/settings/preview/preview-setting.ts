import type { previewSetting } from '@sangam/contract/endpoints/system-config.ts';
import { type PreviewedSetting, PREVIEW_DAYS } from '@sangam/contract/setting-previews.ts';
import { SETTINGS, type Setting, type SettingName, type SettingValues } from '@sangam/contract/settings.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { DAY } from '../../../platform/clock.ts';
import { sql } from '../../../platform/db/database.ts';
import { firstIdAt } from '../../../platform/db/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import { type Refusal, wrongInput } from '../../../platform/refusal.ts';
import type { Viewer } from '../../../platform/viewer.ts';
import { globalSecurity, ipChanged, messageDelay, patchLimit, securityFreq } from './evidence.ts';
import type { Line, Preview } from './line.ts';
import { previewNames } from './names.ts';
import * as orders from './orders.ts';

type Answer = z.input<typeof previewSetting.output>;

const PREVIEWS: {
  readonly [Name in Exclude<PreviewedSetting, 'NeedNameCheck'>]: Preview<SettingValues[Name]>;
} = {
  OrderTimeoutMinutes: orders.orderTimeout,
  CompleteCheckOrderTime: orders.completeCheck,
  CanTimeoutSupplement: orders.timeoutSupplement,
  LimitMode: orders.limitMode,
  redWalletCount: orders.walletCount,
  MonitorLiveTime: orders.monitorLive,
  CardCountry: orders.cardCountry,
  KYC: orders.kyc,
  EnableIpChangedCheck: ipChanged,
  GlobalSecuritySetting: globalSecurity,
  SecurityFreqParameters: securityFreq,
  FixSecurityChainSupplementLimit: patchLimit,
  TimeoutCallbackTime: orders.timeoutCallback,
  MessageDelay: messageDelay,
  DataClearCycle: orders.dataClear,
};

/** How many orders a line names. */
const NAMED = 50;

/** What a value would have done in the last seven days, counted from their rows. Changes nothing. */
export async function previewOf(
  platform: Platform,
  _viewer: Viewer,
  { name, value }: z.output<typeof previewSetting.input>,
): Promise<Answer | Refusal> {
  const asked = valueOf(name, value);
  if (asked === undefined) return wrongInput('value');
  const now = platform.clock.now();
  const from = new Date(now.getTime() - PREVIEW_DAYS * DAY);
  const since = firstIdAt(from);
  const span = { from: formatTime(from), to: formatTime(now) };
  if (name === 'NeedNameCheck')
    return { ...span, lines: await previewNames(platform, { wanted: asked === true, since, named: NAMED }) };
  const preview = (PREVIEWS as Partial<Record<SettingName, Preview<never>>>)[name];
  const settings = await platform.settings.all();
  const lines = preview?.({ value: asked as never, settings, now, since }) ?? [];
  return { ...span, lines: await Promise.all(lines.map((line) => count(platform, line))) };
}

/** The value as the setting reads it. Undefined when it is invalid. */
function valueOf(name: SettingName, text: string): unknown {
  const { schema }: Setting = SETTINGS[name];
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

async function count(platform: Platform, { key, statement }: Line): Promise<Answer['lines'][number]> {
  const [row] = await platform.db.query<{ count: number; ids: readonly bigint[] | null }>(sql`
    with counted as materialized (${statement})
    select (select count(*)::int from counted) as count,
      (select array_agg(id order by id desc) from (
        select distinct id from counted where id is not null order by id desc limit ${NAMED}) named) as ids`);
  return { key, count: row!.count, orders: (row!.ids ?? []).map(String) };
}

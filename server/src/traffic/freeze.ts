import type { exemptIp, freezeIp, unfreezeIp } from '@sangam/contract/endpoints/ip-analysis.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { audit } from '../platform/audit/record.ts';
import { MINUTE } from '../platform/clock.ts';
import { type Queryable, type Tx, sql } from '../platform/db/database.ts';
import { addressMatcher } from '../platform/net/addresses.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { addressOf } from './address.ts';
import { merchantServerIn } from './callers.ts';
import { frozenAddresses } from './frozen.ts';

interface Standing {
  readonly state: 'abnormal' | 'frozen' | 'exempt';
  readonly frozenUntil: Date | null;
}
interface Done {
  readonly ipAddress: string;
  readonly state: string;
}

/**
 * Refuses new orders from an address or network for a time. Answers 409 (data.reason) when it is exempt ('exempt') or holds a merchant's
 * server ('merchantServer'). To stop a merchant, freeze the merchant, where its open orders are in view.
 */
export async function freeze(
  platform: Platform,
  viewer: Viewer,
  { ipAddress, minutes, reason }: z.output<typeof freezeIp.input>,
): Promise<Done | Refusal> {
  const now = platform.clock.now();
  const server = await merchantServerIn(platform.db, ipAddress, now);
  if (server !== undefined) return refuse('conflict', {}, { reason: 'merchantServer', ipAddress: server });
  if (await isInExemptNetwork(platform.db, ipAddress)) return refuse('conflict', {}, { reason: 'exempt' });
  const until = new Date(now.getTime() + minutes * MINUTE);
  return change(platform, viewer, { ipAddress, reason, action: 'ip.freeze' }, (before) =>
    before?.state === 'exempt'
      ? refuse('conflict', {}, { reason: 'exempt' })
      : { state: 'frozen', frozenUntil: until },
  );
}

export function unfreeze(
  platform: Platform,
  viewer: Viewer,
  { ipAddress, reason }: z.output<typeof unfreezeIp.input>,
): Promise<Done | Refusal> {
  return change(platform, viewer, { ipAddress, reason, action: 'ip.unfreeze' }, (before) =>
    before?.state === 'frozen' ? { state: 'abnormal', frozenUntil: null } : refuse('notFound'),
  );
}

export function exempt(
  platform: Platform,
  viewer: Viewer,
  { ipAddress, reason, exempt: wanted }: z.output<typeof exemptIp.input>,
): Promise<Done | Refusal> {
  const action = wanted ? 'ip.exempt' : 'ip.endExemption';
  return change(platform, viewer, { ipAddress, reason, action }, (before) => {
    if (!wanted && before?.state !== 'exempt') return refuse('notFound');
    return { state: wanted ? 'exempt' : 'abnormal', frozenUntil: null };
  });
}

/** Whether the whole of an address or network is in one exempt network. To freeze it would have no effect. */
async function isInExemptNetwork(db: Queryable, entry: string): Promise<boolean> {
  const rows = await db.query<{ ip: string }>(
    sql`select ip from abnormal_ips where state = 'exempt' and ip like '%/%'`,
  );
  const [address = '', bits = '128'] = entry.split('/');
  return rows.some(({ ip }) => Number(ip.split('/')[1]) <= Number(bits) && addressMatcher([ip])(address));
}

/** Changes an address to what `next` answers, with an audit row. This node acts on it at once. */
async function change(
  platform: Platform,
  viewer: Viewer,
  request: { readonly ipAddress: string; readonly reason: string; readonly action: string },
  next: (before: Standing | undefined) => Standing | Refusal,
): Promise<Done | Refusal> {
  const ip = spelled(request.ipAddress);
  const result = await platform.db.tx(async (tx) => {
    const before = await standingOf(tx, ip);
    const after = next(before);
    if (isRefusal(after)) return after;
    await write(platform, tx, viewer, { ip, reason: request.reason, after });
    await audit(platform, tx, {
      userId: viewer.userId,
      action: request.action,
      subject: `ip:${ip}`,
      before: before && told(before),
      after: told(after),
      reason: request.reason,
      ip: viewer.ip,
    });
    return { ipAddress: ip, state: after.state };
  });
  if (!isRefusal(result)) await frozenAddresses(platform).refresh();
  return result;
}

const told = ({ state, frozenUntil }: Standing) => ({
  state,
  ...(frozenUntil && { until: formatTime(frozenUntil) }),
});

/** One spelling for each address, so that it has one row. */
function spelled(entry: string): string {
  const [address = '', bits] = entry.split('/');
  return bits === undefined ? (addressOf(address) ?? address) : `${addressOf(address) ?? address}/${bits}`;
}

async function standingOf(tx: Tx, ip: string): Promise<Standing | undefined> {
  // Two people may act at once on an address that has no row yet.
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`ip ${ip}`}, 0))`);
  const [row] = await tx.query<Standing>(sql`
    select state, frozen_until as "frozenUntil" from abnormal_ips where ip = ${ip} for update`);
  return row;
}

async function write(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  { ip, reason, after }: { readonly ip: string; readonly reason: string; readonly after: Standing },
): Promise<void> {
  const now = platform.clock.now();
  const frozenAt = after.state === 'frozen' ? now : null;
  await tx.query(sql`
    insert into abnormal_ips (id, ip, state, since, frozen_at, frozen_until, reason, changed_by, changed_at)
    values (${platform.ids.next()}, ${ip}, ${after.state}, ${now}, ${frozenAt}, ${after.frozenUntil}, ${reason}, ${viewer.userId}, ${now})
    on conflict (ip) do update set state = excluded.state, frozen_at = excluded.frozen_at, frozen_until = excluded.frozen_until,
      reason = excluded.reason, changed_by = excluded.changed_by, changed_at = excluded.changed_at`);
}

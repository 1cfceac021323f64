import type { Locale } from '@sangam/contract/locale.ts';
import { Agent, request } from 'undici';
import { MINUTE, SECOND } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { guardedLookup, refusedTarget } from '../platform/net/target.ts';
import type { Platform } from '../platform/platform.ts';
import { TEXTS } from '../platform/texts.ts';
import { ofSupplier } from '../payout/actions.ts';
import { authorization, encrypt } from './encrypt.ts';
import { pushKeys } from './keys.ts';

/** Seconds a push service keeps a notice. By then the payout is no longer news. */
const TTL_SECONDS = 120;
/** A newer notice replaces one that has not arrived. */
const TOPIC = 'payouts';
const LIMIT = 10 * SECOND;
const AT_ONCE = 100;
/** The shortest time between two notices to one device. */
const QUIET = 30 * SECOND;
const LONGEST_QUIET = 60 * MINUTE;
/** How many failures in a row make a device count as gone. Of 'not found' answers fewer are enough. */
const MOST_FAILURES = 20;
const MOST_NOT_FOUND = 2;

interface Device {
  readonly id: bigint;
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly language: Locale;
  readonly failures: number;
}

/** Notifies devices of payouts that came since their last notice and that their supplier may claim. Safe on any number of nodes. */
export async function sendPushes(platform: Platform): Promise<number> {
  const due = await claimDue(platform);
  if (due.length === 0) return 0;
  const keys = await pushKeys(platform);
  // Devices give their own addresses. So private addresses listed for callbacks are not open to them, unless all are open (true).
  const allowPrivate = platform.config.allowPrivateCallbacks === true;
  const agent = new Agent({ connect: { lookup: guardedLookup(allowPrivate), timeout: LIMIT } });
  try {
    await Promise.all(
      due.map(async (device) => settle(platform, device, await post(platform, agent, keys, device))),
    );
  } finally {
    await agent.destroy();
  }
  return due.length;
}

/** Marked before sending. A node that dies then loses a notice, but the list still shows the payout. */
function claimDue({ db, clock }: Platform): Promise<Device[]> {
  const now = clock.now();
  return db.query<Device>(sql`
    with news as (
      select p.id, newest.id as told_id from push_subscriptions p
      join users u on u.id = p.user_id and u.deleted_at is null
      join suppliers owner on owner.id = coalesce(
        (select s.id from suppliers s where s.user_id = u.id), (select pm.supplier_id from party_members pm where pm.user_id = u.id)),
      lateral (
        select o.id from payout_orders o
        where o.id > p.told_id and o.supplier_id is null and ${ofSupplier(sql`owner.id`)}
        order by o.id desc limit 1) newest
      where p.quiet_until <= ${now} limit ${AT_ONCE}
    ), due as (
      select p.id, news.told_id from push_subscriptions p join news on news.id = p.id
      where p.quiet_until <= ${now} order by p.id for update of p skip locked
    )
    update push_subscriptions p set told_id = due.told_id, quiet_until = ${new Date(now.getTime() + QUIET)}
    from due where due.id = p.id
    returning p.id, p.endpoint, p.p256dh, p.auth, p.language, p.failures`);
}

interface Answer {
  /** 0: no answer. */
  readonly status: number;
  readonly retryAfter: number;
}

async function post(
  platform: Platform,
  agent: Agent,
  keys: Awaited<ReturnType<typeof pushKeys>>,
  { endpoint, p256dh, auth, language }: Device,
): Promise<Answer> {
  const { config, clock } = platform;
  const { ApiUrl } = await platform.settings.all();
  const none = { status: 0, retryAfter: 0 };
  if (refusedTarget(endpoint, config.allowPrivateCallbacks === true) !== undefined) return none;
  try {
    // The lock screen shows it, so it has neither names nor amounts.
    const body = encrypt(JSON.stringify({ body: TEXTS[language].push.payouts }), { p256dh, auth });
    const subject = ApiUrl.startsWith('https:') ? ApiUrl : 'mailto:push@localhost';
    const answer = await request(endpoint, {
      dispatcher: agent,
      method: 'POST',
      headers: {
        authorization: authorization(keys, endpoint, subject, clock.now()),
        'content-type': 'application/octet-stream',
        'content-encoding': 'aes128gcm',
        ttl: String(TTL_SECONDS),
        topic: TOPIC,
        urgency: 'high',
      },
      body,
      headersTimeout: LIMIT,
      bodyTimeout: LIMIT,
    });
    await answer.body.dump();
    return { status: answer.statusCode, retryAfter: Number(answer.headers['retry-after']) || 0 };
  } catch {
    return none;
  }
}

async function settle({ db, clock }: Platform, device: Device, answer: Answer): Promise<void> {
  const now = clock.now();
  const { id } = device;
  if (answer.status >= 200 && answer.status < 300) {
    await db.query(
      sql`update push_subscriptions set last_success_at = ${now}, failures = 0 where id = ${id}`,
    );
    return;
  }
  const failures = device.failures + 1;
  const isGone =
    answer.status === 410 || failures >= (answer.status === 404 ? MOST_NOT_FOUND : MOST_FAILURES);
  if (isGone) {
    await db.query(sql`delete from push_subscriptions where id = ${id}`);
    return;
  }
  const wait = Math.min(Math.max(answer.retryAfter * SECOND, QUIET), LONGEST_QUIET);
  await db.query(sql`
    update push_subscriptions set failures = ${failures}, quiet_until = ${new Date(now.getTime() + wait)}
    where id = ${id}`);
}

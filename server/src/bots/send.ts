import { randomUUID } from 'node:crypto';
import { BOTS, type Bot } from '@sangam/contract/bots.ts';
import type { Api } from 'grammy';
import { MINUTE, SECOND } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { leased } from '../platform/db/lease.ts';
import type { Platform } from '../platform/platform.ts';
import { chooseSends, type Send } from './choose.ts';
import { followChat } from './store.ts';
import { type Failure, apiOf, failureOf } from './telegram.ts';
import { isStale, putOut } from './wording.ts';

/** Longer than one call to Telegram may last. After it, other nodes send what a killed node left. */
const LEASE = MINUTE;
/** The waits after a failure. The last wait repeats until a try succeeds. */
const WAITS = [2 * SECOND, 10 * SECOND, 30 * SECOND, MINUTE];

/**
 * One round of sending, on one node at a time, because Telegram's limits are counted from what was sent. Each message is marked before it
 * is sent and recorded afterwards. When a node dies between, the message is sent again, unless its alert was acknowledged.
 */
export function sendRound(platform: Platform): Promise<boolean> {
  return leased(platform, 'bots.send', async () => {
    for (const bot of BOTS) {
      const api = await apiOf(platform, bot);
      if (api) await sendOf(platform, bot, api);
    }
    return platform.clock.now();
  });
}

async function sendOf(platform: Platform, bot: Bot, api: Api): Promise<void> {
  const now = platform.clock.now();
  const token = randomUUID();
  const sends = await platform.db.tx(async (tx) => {
    const chosen = await chooseSends(tx, bot, now);
    const ids = chosen.flatMap(({ rows }) => rows.map(({ id }) => id));
    await tx.query(sql`
      update bot_messages set token = ${token}, leased_until = ${new Date(now.getTime() + LEASE)}, attempts = attempts + 1
      where id = any(${ids}::bigint[])`);
    return chosen;
  });
  await Promise.all(sends.map((send) => sendOne(platform, api, token, send)));
}

async function sendOne(platform: Platform, api: Api, token: string, send: Send): Promise<void> {
  const rows = [];
  for (const row of send.rows) {
    if (isStale(row)) await record(platform, token, [row.id], { state: 'dropped' });
    else rows.push(row);
  }
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  try {
    const messageId = await putOut(platform, api, { ...send, rows });
    await record(platform, token, ids, { state: 'sent', messageId, isSummed: rows.length > 1 });
  } catch (error) {
    await recordFailure(platform, token, { ...send, rows }, failureOf(error));
  }
}

interface Outcome {
  readonly state: 'sent' | 'dropped';
  readonly messageId?: bigint | null;
  readonly isSummed?: boolean;
}

function record(platform: Platform, token: string, ids: readonly bigint[], outcome: Outcome): Promise<void> {
  const now = platform.clock.now();
  const isSent = outcome.state === 'sent';
  return platform.db.tx(async (tx) => {
    const rows = await tx.query<{ groupId: bigint }>(sql`
      update bot_messages set state = ${outcome.state}, sent_at = ${isSent ? now : null}, token = null, leased_until = null,
        message_id = ${outcome.messageId ?? null}, is_summed = ${outcome.isSummed ?? false}, last_error = null
      where id = any(${ids}::bigint[]) and token = ${token} returning group_id as "groupId"`);
    if (isSent && rows[0])
      await tx.query(sql`
        update bot_groups set last_error = null where id = ${rows[0].groupId} and last_error is not null`);
  });
}

function recordFailure(platform: Platform, token: string, send: Send, failure: Failure): Promise<void> {
  const { group, rows } = send;
  const ids = rows.map(({ id }) => id);
  if (failure.kind === 'same') return record(platform, token, ids, { state: 'sent' });
  // Telegram refuses an edit when the message is too old or deleted. Then there is nothing left to change.
  if (failure.kind === 'refused' && rows[0]!.kind === 'edit')
    return record(platform, token, ids, { state: 'dropped' });
  const now = platform.clock.now().getTime();
  const tries = Math.max(...rows.map(({ attempts }) => attempts)) + 1;
  const wait =
    failure.kind === 'wait'
      ? failure.seconds * SECOND
      : failure.kind === 'moved'
        ? 0
        : WAITS[Math.min(tries, WAITS.length) - 1]!;
  const until = new Date(now + wait);
  return platform.db.tx(async (tx) => {
    await tx.query(sql`
      update bot_messages set token = null, leased_until = null, last_error = ${failure.reason}, due_at = ${until}
      where id = any(${ids}::bigint[]) and token = ${token}`);
    if (failure.kind === 'moved') await followChat(platform, tx, group, failure.to);
    else
      await tx.query(sql`
        update bot_groups set last_error = ${failure.reason},
          paused_until = ${failure.kind === 'wait' ? until : null} where id = ${group.id}`);
  });
}

import { SECOND } from '../../platform/clock.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { passedNow } from '../trusted-chain/corroborated.ts';
import { type Incoming, set } from './incoming.ts';
import { insertMatches } from './store.ts';
import { refFamily } from '../templates/fields.ts';
import { matchCredits } from './match.ts';
import type { MonitorAccount } from './message.ts';

/** Accounts whose delayed messages are decided in one round. */
const ACCOUNTS_AT_ONCE = 100;

/**
 * Keeps a report's open credits back for `MessageDelay`: another wording of a payment, or the message before one, may come late. They
 * are stored as held; with a delay of 0 nothing is kept back.
 */
export async function delayCredits(
  platform: Platform,
  tx: Tx,
  incoming: readonly Incoming[],
  clockBehindMs: number,
  at: Date,
): Promise<void> {
  const { MessageDelay } = await platform.settings.all();
  if (MessageDelay === 0) return;
  const kept = incoming.filter(({ state, account }) => state === 'unmatched' && account);
  if (kept.length === 0) return;
  for (const item of kept) set(item, 'held', 'delay');
  const until = new Date(at.getTime() + MessageDelay * SECOND);
  await tx.query(sql`
    insert into delayed_messages (message_id, account_id, until, clock_behind_ms)
    select message_id, account_id, ${until}, ${Math.round(clockBehindMs)} from unnest(
      ${kept.map(({ id }) => id)}::bigint[], ${kept.map(({ account }) => account!.id)}::bigint[]) as v (message_id, account_id)`);
}

interface Delayed extends MonitorAccount {
  readonly messageId: bigint;
  readonly monitorId: bigint;
  readonly monitorSupplierId: bigint;
  readonly clockBehindMs: number;
  readonly externalId: string;
  readonly kind: 'sms' | 'web';
  readonly sender: string;
  readonly text: string;
  readonly amount: bigint;
  readonly balance: bigint | null;
  readonly utr: string | null;
  readonly payer: string | null;
  readonly bankTime: Date | null;
  readonly timePrecision: 'second' | 'minute' | 'day' | 'none';
  readonly receivedAt: Date;
}

/**
 * Matches the messages whose delay is over, an account in a transaction. Those that name an order come first: another wording of one
 * payment that states less is then left to an operator. A sweep, safe on any number of nodes. Returns how many it decided.
 */
export async function matchDelayed(platform: Platform): Promise<number> {
  const due = await platform.db.query<{ accountId: bigint }>(sql`
    select account_id as "accountId" from delayed_messages where until <= ${platform.clock.now()}
    group by account_id order by min(until) limit ${ACCOUNTS_AT_ONCE}`);
  let decided = 0;
  for (const { accountId } of due)
    decided += await platform.db.tx((tx) => matchOfAccount(platform, tx, accountId));
  return decided;
}

async function matchOfAccount(platform: Platform, tx: Tx, accountId: bigint): Promise<number> {
  const at = platform.clock.now();
  const rows = await tx.query<Delayed>(sql`
    with due as (
      delete from delayed_messages where account_id = ${accountId} and until <= ${at} returning message_id, clock_behind_ms)
    select m.id as "messageId", m.monitor_id as "monitorId", mo.supplier_id as "monitorSupplierId", d.clock_behind_ms as "clockBehindMs",
      m.external_id as "externalId", m.kind, m.sender, m.text, m.amount, m.balance, m.utr, m.payer, m.bank_time as "bankTime",
      m.time_precision as "timePrecision", m.received_at as "receivedAt", a.id, a.supplier_id as "supplierId", a.bank, a.currency,
      a.account_number as "accountNumber", a.sender_header as "senderHeader", a.balance_mode as "balanceMode"
    from due d join messages m on m.id = d.message_id join accounts a on a.id = m.account_id join monitors mo on mo.id = m.monitor_id
    where m.state = 'held' and m.reason = 'delay'
    order by m.utr is null, m.id`);
  if (rows.length === 0) return 0;
  const passed = await passedNow(
    platform,
    tx,
    accountId,
    rows.map(({ messageId }) => messageId),
  );
  for (const own of Map.groupBy(
    rows,
    ({ monitorId, clockBehindMs }) => `${monitorId}/${clockBehindMs}`,
  ).values()) {
    const { monitorId: id, monitorSupplierId: supplierId, clockBehindMs } = own[0]!;
    const items = own.map(incomingOf);
    await matchCredits(platform, tx, { id, supplierId, clockBehindMs }, items, passed, at);
    await tx.query(sql`
      update messages m set state = v.state, reason = v.reason, order_id = v.order_id
      from unnest(${items.map((item) => item.id)}::bigint[], ${items.map(({ state }) => state)}::text[],
        ${items.map(({ reason }) => reason)}::text[], ${items.map(({ orderId }) => orderId)}::bigint[]) as v (id, state, reason, order_id)
      where m.id = v.id`);
    insertMatches(
      tx,
      items.flatMap(({ state, id: messageId, orderId, evidence }) =>
        state === 'matched' ? [{ messageId, orderId: orderId!, evidence: evidence! }] : [],
      ),
      at,
    );
  }
  return rows.length;
}

/** A stored message as it was when it came. */
function incomingOf(row: Delayed): Incoming {
  const { messageId, externalId, kind, sender, text, receivedAt } = row;
  return {
    id: messageId,
    told: { messageId: externalId, kind, sender, text, receivedAt, accountHint: undefined },
    parsed: {
      outcome: 'parsed',
      templateId: '',
      direction: 'credit',
      amountMinor: row.amount,
      currency: row.currency as 'INR' | 'KES',
      kind: 'account',
      timePrecision: row.timePrecision,
      ...(row.balance === null ? {} : { balanceMinor: row.balance }),
      ...(row.utr === null ? {} : { ref: row.utr, refFamily: refFamily(row.utr, row.text, 'IN') }),
      ...(row.payer === null ? {} : { payer: row.payer }),
      ...(row.bankTime === null ? {} : { bankTime: row.bankTime }),
    },
    account: row,
    state: 'unmatched',
    reason: null,
    orderId: null,
    evidence: null,
  };
}

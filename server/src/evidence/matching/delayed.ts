import { SECOND } from '../../platform/clock.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import { unnestRows } from '../../platform/db/unnest-rows.ts';
import type { Platform } from '../../platform/platform.ts';
import { nameScreen } from '../../screening/screen.ts';
import { refFamily } from '../templates/fields.ts';
import { passedNow } from '../trusted-chain/corroborated.ts';
import { type NewCredit, verdict, type Verdict } from './credit.ts';
import { isListed } from './listed.ts';
import { matchCredits } from './match.ts';
import { isPrecise, movedAt } from './place.ts';
import { insertMatches } from './store.ts';
import { barHeldWordings, barWordings } from './taken-back.ts';

/** Accounts whose delayed messages are decided in one round. */
const ACCOUNTS_AT_ONCE = 100;

/**
 * Keeps the open credits of a report back for `MessageDelay` seconds, because another wording of a payment, or the message before it, may
 * come late. They are stored as held. With a delay of 0 nothing is kept back, nor is a credit of a listed payer: it keeps its other wordings
 * from orders at once. Returns the verdicts on the credits that are kept back.
 */
export async function delayCredits(
  platform: Platform,
  tx: Tx,
  credits: readonly NewCredit[],
  clockBehindMs: number,
  at: Date,
): Promise<ReadonlyMap<bigint, Verdict>> {
  const { MessageDelay } = await platform.settings.all();
  if (MessageDelay === 0 || credits.length === 0) return new Map();
  const names = await nameScreen(platform).ready();
  const waiting = credits.filter((credit) => !isListed(names, credit));
  const until = new Date(at.getTime() + MessageDelay * SECOND);
  await tx.query(sql`
    insert into delayed_messages (message_id, account_id, until, clock_behind_ms)
    select message_id, account_id, ${until}, ${Math.round(clockBehindMs)}
    from ${unnestRows({ messageId: 'bigint', accountId: 'bigint' }, waiting)}`);
  return new Map(waiting.map(({ messageId }) => [messageId, verdict('held', 'delay')]));
}

interface Delayed extends Omit<NewCredit, 'at' | 'reference' | 'isSlow' | 'isVague'> {
  readonly utr: string | null;
  readonly bankTime: Date | null;
  readonly timePrecision: 'second' | 'minute' | 'day' | 'none';
  readonly receivedAt: Date;
  readonly clockBehindMs: number;
}

/**
 * Matches the messages whose delay is over, one account per transaction. Messages with a reference come first: another wording of the same
 * payment without one is then ambiguous. A sweep, safe on any number of nodes. Returns the number of messages it decided.
 */
export async function matchDelayed(platform: Platform): Promise<number> {
  // Loaded before the transaction: inside it, loading would need a second connection.
  await nameScreen(platform).ready();
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
    select m.id as "messageId", m.monitor_id as "monitorId", a.id as "accountId", a.currency, a.balance_mode as "balanceMode",
      m.amount, m.balance, m.utr, m.payer, m.text, m.bank_time as "bankTime", m.time_precision as "timePrecision",
      m.received_at as "receivedAt", d.clock_behind_ms as "clockBehindMs"
    from due d join messages m on m.id = d.message_id join accounts a on a.id = m.account_id
    where m.state = 'held' and m.reason = 'delay'
    order by m.utr is null, m.id`);
  if (rows.length === 0) return 0;
  const ids = rows.map(({ messageId }) => messageId);
  const passed = await passedNow(platform, tx, accountId, ids);
  const verdicts = await matchCredits(platform, tx, rows.map(creditOf), passed, at);
  const decided = ids.map((id) => ({ id, ...(verdicts.get(id) ?? verdict('unmatched', null)) }));
  await tx.query(sql`
    update messages m set state = v.state, reason = v.reason, order_id = v.order_id
    from ${unnestRows({ id: 'bigint', state: 'text', reason: 'text', orderId: 'bigint' }, decided)} where m.id = v.id`);
  insertMatches(
    tx,
    decided.flatMap(({ id: messageId, state, orderId, evidence }) =>
      state === 'matched' ? [{ messageId, orderId: orderId!, evidence: evidence! }] : [],
    ),
    at,
  );
  const idsOf = (why: string) => decided.flatMap(({ id, reason }) => (reason === why ? [id] : []));
  await barWordings(platform, tx, idsOf('wentBack'));
  await barHeldWordings(platform, tx, idsOf('payerListed'));
  return rows.length;
}

/** The credit of a stored message, as it was when the message came. */
function creditOf({
  utr,
  bankTime,
  timePrecision,
  receivedAt,
  clockBehindMs,
  ...credit
}: Delayed): NewCredit {
  const isNeft = utr !== null && refFamily(utr, credit.text, 'IN') === 'NEFT';
  const moved = { timePrecision, ...(bankTime === null ? {} : { bankTime }) };
  return {
    ...credit,
    reference: utr,
    isSlow: isNeft && !isPrecise({ timePrecision }),
    isVague: !isPrecise({ timePrecision }),
    at: movedAt(moved, new Date(receivedAt.getTime() + clockBehindMs)),
  };
}

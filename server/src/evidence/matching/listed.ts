import { type Tx, hot, sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { nameScreen, type Screen } from '../../screening/screen.ts';
import type { NewCredit } from './credit.ts';
import { barHeldWordings, endWaits } from './taken-back.ts';

interface Paid extends Pick<NewCredit, 'payer' | 'text' | 'isToldListed'> {
  readonly messageId: bigint;
}

/** Whether a name list has the credit's payer. A VPA stands only in the message's text. */
export function isListed(names: Screen, { payer, text, messageId, isToldListed }: Paid): boolean {
  if (isToldListed) return true;
  const vpa = /[a-z0-9][a-z0-9._-]+@[a-z]{2,20}/i.exec(text)?.[0];
  return names.hit({ name: payer, vpa }, 'credit', `message:${messageId}`) !== undefined;
}

/**
 * Leaves a stored credit to an operator if its payer was listed since it came, with its wordings that are held. A message that tells the
 * same movement again may name the payer too. Answers whether it did.
 */
export async function leaveListed(platform: Platform, tx: Tx, credit: Paid): Promise<boolean> {
  const { messageId } = credit;
  const names = await nameScreen(platform).ready();
  if (![credit, ...(await toldAgain(tx, messageId))].some((told) => isListed(names, told))) return false;
  await leaveToOperator(platform, tx, [messageId]);
  return true;
}

/** Leaves stored credits of a listed payer to an operator. */
export async function leaveToOperator(
  platform: Platform,
  tx: Tx,
  messageIds: readonly bigint[],
): Promise<void> {
  await endWaits(tx, messageIds);
  await tx.query(
    sql`update messages set state = 'ambiguous', reason = 'payerListed' where id = any(${messageIds})`,
  );
  await barHeldWordings(platform, tx, messageIds);
}

/** The stored messages that tell a credit's movement again. */
function toldAgain(tx: Tx, messageId: bigint): Promise<Paid[]> {
  return tx.query<Paid>(
    hot(
      'repeats of a credit',
      sql`
    select d.id as "messageId", d.payer, d.text from messages m
    join messages d on d.utr = m.utr and d.account_id = m.account_id and d.amount = m.amount
    where m.id = ${messageId} and d.direction = 'credit' and d.state = 'duplicate'`,
    ),
  );
}

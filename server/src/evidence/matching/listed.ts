import { type Tx, sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { nameScreen, type Screen } from '../../screening/screen.ts';
import { dropHolds } from '../trusted-chain/hold.ts';
import type { Credit } from './credit.ts';
import { barHeldWordings } from './taken-back.ts';

interface Paid extends Pick<Credit, 'payer' | 'text'> {
  readonly messageId: bigint;
}

/** Whether a name list has the credit's payer. A VPA stands only in the message's text. */
export function isListed(names: Screen, { payer, text, messageId }: Paid): boolean {
  const vpa = /[a-z0-9][a-z0-9._-]+@[a-z]{2,20}/i.exec(text)?.[0];
  return names.hit({ name: payer, vpa }, 'credit', `message:${messageId}`) !== undefined;
}

/** Leaves a stored credit to an operator if its payer was listed since it came, with its wordings that are held. Answers whether it did. */
export async function leaveListed(platform: Platform, tx: Tx, credit: Paid): Promise<boolean> {
  const { messageId } = credit;
  const names = await nameScreen(platform).ready();
  if (!isListed(names, credit)) return false;
  await dropHolds(tx, [messageId]);
  await tx.query(
    sql`update messages set state = 'ambiguous', reason = 'payerListed' where id = ${messageId}`,
  );
  await barHeldWordings(platform, tx, [messageId]);
  return true;
}

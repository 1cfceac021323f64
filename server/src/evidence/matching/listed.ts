import { type Tx, sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Party } from '../../screening/party.ts';
import { nameScreen } from '../../screening/screen.ts';
import { dropHolds } from '../trusted-chain/hold.ts';
import type { Credit } from './credit.ts';
import { barHeldWordings } from './taken-back.ts';

/** The payer in the form the name lists need. A VPA stands only in the message's text. */
export function payerOf({ payer, text }: Pick<Credit, 'payer' | 'text'>): Party {
  return { name: payer, vpa: /[a-z0-9][a-z0-9._-]+@[a-z]{2,20}/i.exec(text)?.[0] };
}

/** A stored credit that would complete an order now. */
interface StoredCredit extends Pick<Credit, 'payer' | 'text'> {
  readonly messageId: bigint;
}

/** Leaves a stored credit to an operator if its payer was listed since it came, with its wordings that are held. Answers whether it did. */
export async function leaveListed(platform: Platform, tx: Tx, credit: StoredCredit): Promise<boolean> {
  const { messageId } = credit;
  const names = await nameScreen(platform).ready();
  if (!names.hit(payerOf(credit), 'credit', `message:${messageId}`)) return false;
  await dropHolds(tx, [messageId]);
  await tx.query(
    sql`update messages set state = 'ambiguous', reason = 'payerListed' where id = ${messageId}`,
  );
  await barHeldWordings(platform, tx, [messageId]);
  return true;
}

import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { readOrder } from '../collection/read.ts';
import { bankText } from '../demo/bank-text.ts';
import { BANKS, type CastBank } from '../demo/cast.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { refuse, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { findTestOrder } from './read.ts';

interface PaidAccount {
  readonly bank: string;
  readonly tail: string;
  readonly monitorId: bigint | null;
  readonly supplierId: bigint;
  /** The balance in the account's last message. */
  readonly balance: bigint | null;
}

/** In the demo: makes a message of the bank of the order's account, with the payable amount. From there on the real code runs. */
export async function payTestOrder(
  platform: Platform,
  _viewer: Viewer,
  { mchOrderNo }: { readonly mchOrderNo: string },
): Promise<{ readonly state: string } | Refusal> {
  if (!platform.config.demo) return refuse('actionNotAllowed');
  const found = await findTestOrder(platform, mchOrderNo);
  const order = found?.orderId ? await readOrder(platform.db, found.orderId) : undefined;
  if (!order) return refuse('notFound');
  if (order.status !== COLLECTION_STATUS.allocated) return refuse('actionNotAllowed');
  const [account] = await platform.db.query<PaidAccount>(sql`
    select a.bank, a.account_tail as tail, a.monitor_id as "monitorId", a.supplier_id as "supplierId",
      (select n.balance from chain_nodes n where n.account_id = a.id order by n.minute desc, n.place desc limit 1) as balance
    from accounts a where a.id = ${order.accountId}`);
  // Rails that we poll, and banks for which the demo has no wordings, are paid in their simulator.
  if (!account || account.monitorId === null || !Object.hasOwn(BANKS, account.bank))
    return refuse('actionNotAllowed');
  const at = platform.clock.now();
  const id = platform.ids.next();
  const { sender, text } = bankText({
    bank: account.bank as CastBank,
    direction: 'credit',
    amount: order.payable!,
    tail: account.tail,
    balanceAfter: (account.balance ?? 0n) + order.payable!,
    // Twelve digits, like a UPI reference.
    reference: String(id).slice(-12),
    at,
  });
  const [received] = await receiveMessages(
    platform,
    { id: account.monitorId, supplierId: account.supplierId },
    [{ messageId: `test-order-${id}`, kind: 'sms', sender, text, receivedAt: at, accountHint: undefined }],
  );
  return { state: received!.state };
}

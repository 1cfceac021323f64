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
  /** What its last message stated. */
  readonly balance: bigint | null;
}

/** In the demo: the bank of the order's account says that the payable amount came. From there on it is the real path. */
export async function payTestOrder(
  platform: Platform,
  _viewer: Viewer,
  { mchOrderNo }: { readonly mchOrderNo: string },
): Promise<{ readonly state: string } | Refusal> {
  if (!platform.config.demo) return refuse('actionNotAllowed');
  const found = await findTestOrder(platform, mchOrderNo);
  const order = found?.orderId == null ? undefined : await readOrder(platform.db, found.orderId);
  if (!order) return refuse('notFound');
  if (order.status !== COLLECTION_STATUS.allocated) return refuse('actionNotAllowed');
  const [account] = await platform.db.query<PaidAccount>(sql`
    select a.bank, a.account_tail as tail, a.monitor_id as "monitorId", a.supplier_id as "supplierId",
      (select n.balance from chain_nodes n where n.account_id = a.id order by n.minute desc, n.place desc limit 1) as balance
    from accounts a where a.id = ${order.accountId}`);
  // Rails that are asked by us, and banks the demo has no words for, are paid where their simulator is.
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
    // As UPI numbers them: twelve digits.
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

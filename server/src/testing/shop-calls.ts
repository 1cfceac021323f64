import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { readOrder } from '../collection/read.ts';
import { createOne, type Shop } from './payments.ts';
import type { TestPlatform } from './platform.ts';
import type { CollectionOrder } from '../collection/order.ts';
import type { ReportedMessage } from '../evidence/matching/message.ts';
import { submitUtr } from '../evidence/matching/payer-utr.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { heartbeat } from '../evidence/monitors/heartbeat.ts';
import { sql } from '../platform/db/database.ts';

/** The actions at a shop: its phone reports, its merchant asks, its payers type. `shopOf` gives the shop of the running test. */
export function shopCalls(world: TestPlatform, shopOf: () => Shop) {
  const { platform } = world;
  const beat = () => heartbeat(platform, shopOf().monitor, { scriptVersion: '1' });
  return {
    /** Sends one report. Answers the states of its messages. */
    async report(...messages: ReportedMessage[]): Promise<string[]> {
      await beat();
      return (await receiveMessages(platform, shopOf().monitor, messages)).map(({ state }) => state);
    },
    async order(amount: bigint): Promise<CollectionOrder> {
      await beat();
      return createOne(platform, shopOf().merchantId, { amount });
    },
    /** The payer of an order types a UTR. */
    type: ({ id }: { readonly id: bigint }, utr: string) =>
      submitUtr(platform, platform.vault.payToken(id), utr, '10.0.0.9'),
    /** Whether an order has its account and is not paid. */
    isOpen: async ({ id }: Pick<CollectionOrder, 'id'>) =>
      (await readOrder(platform.db, id))!.status === COLLECTION_STATUS.allocated,
    /** A message as it is stored. */
    async stored({ messageId }: ReportedMessage) {
      const [row] = await platform.db.query<{
        id: bigint;
        accountId: bigint | null;
        state: string;
        reason: string | null;
      }>(sql`
        select id, account_id as "accountId", state, reason from messages
        where external_id = ${messageId} and supplier_id = ${shopOf().supplierId}`);
      return row!;
    },
  };
}

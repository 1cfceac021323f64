import type { ApprovalHandlers } from '../approvals/approval.ts';
import { decide } from '../approvals/decide.ts';
import { askForBeneficiary } from '../parties/withdrawals/ask.ts';
import { DAY, HOUR } from '../platform/clock.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { must, personOf, platformAt } from './acting.ts';
import type { World } from './world.ts';

const AGE = 3 * DAY;

/** Makes the first merchant's beneficiary: the merchant asked for it and an admin approved. */
export async function makeDemoBeneficiary(
  platform: Platform,
  tx: Tx,
  { userIds, merchants }: Pick<World, 'userIds' | 'merchants'>,
  approvals: ApprovalHandlers,
): Promise<void> {
  const [{ id: merchantId, account, nickname }] = merchants as [World['merchants'][number]];
  const begin = platform.clock.now().getTime() - AGE;
  const at = (after: number) => platformAt(platform, tx, new Date(begin + after));
  const asker = { ...personOf(userIds, account, 'merchant'), merchantId };
  const asked = await askForBeneficiary(at(0), asker, {
    kind: 'bank',
    userName: `${nickname} Pvt Ltd`,
    bankName: 'State Bank of India',
    cardNumber: '30412205518',
    ifscCode: 'SBIN0000813',
    reason: 'Our current account',
    requestKey: 'demo',
  });
  const { todoId } = asked.data as { readonly todoId: string };
  const decider = personOf(userIds, 'admin', 'admin');
  must(await decide(at(HOUR), approvals, decider, { id: BigInt(todoId), approve: true }));
}

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SimulatedTelegram } from '@sangam/simulators/telegram/bot-api.ts';
import { raiseAlert } from '../alerts/raise.ts';
import { MINUTE, SECOND } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { giveGroup } from '../testing/bot-group.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { runsOf, SEED } from '../testing/seed.ts';
import { ALERT_TOKEN, giveToken, runBots, telegramFor } from '../testing/telegram.ts';
import { makeMerchant } from '../testing/world.ts';

/* `npm run soak:alerts` runs the whole hour: 10,000 alerts to 100 groups. */
const GROUPS = 100;
const ALERTS = runsOf(500);
/** Alerts a second, so that 10,000 take an hour. */
const RATE = 10_000 / 3_600;
/** Each minute, so many alerts come at once for one group, and later so many at once for as many groups. */
const BURST = 40;

let node: TestPlatform;
let telegram: SimulatedTelegram;
let platform: Platform;
beforeAll(async () => {
  node = await createTestPlatform();
  telegram = await telegramFor(node.clock);
  platform = { ...node.platform, config: { ...node.platform.config, telegramUrl: telegram.url } };
  await giveToken(platform, 'BotToken', ALERT_TOKEN);
});
afterAll(async () => {
  await telegram.stop();
  await node.close();
});

test(
  `SEED=${SEED}: ${ALERTS} alerts to ${GROUPS} groups, 10,000 an hour, keep Telegram's limits; none is lost`,
  { timeout: 600_000 },
  async () => {
    const merchants: bigint[] = [];
    for (let each = 0; each < GROUPS; each += 1) {
      const { merchantId } = await makeMerchant(platform);
      merchants.push(merchantId);
      await giveGroup(platform, {
        ownerKind: 'merchant',
        ownerId: String(merchantId),
        kinds: ['callbackFailing'],
        chatId: String(-1_000 - each),
      });
    }
    let raised = 0;
    let state = SEED;
    const raise = async (merchantId: bigint) => {
      raised += 1;
      const data = { name: `M${raised}`, count: raised };
      await raiseAlert(platform, { kind: 'callbackFailing', subject: `alert${raised}`, data, merchantId });
    };
    for (let second = 0; raised < ALERTS; second += 1) {
      if (second % 60 === 20) for (let n = 0; n < BURST; n += 1) await raise(merchants[second % GROUPS]!);
      if (second % 60 === 50) for (const each of merchants.slice(0, BURST)) await raise(each);
      for (; raised < Math.min(ALERTS, second * RATE);) {
        state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
        await raise(merchants[(state >>> 8) % GROUPS]!);
      }
      await runBots(platform, node.clock, 1);
    }
    await runBots(platform, node.clock, 90);

    const rows = await platform.db.query<{ state: string; attempts: number; count: number }>(sql`
      select state, attempts, count(*)::int as count from bot_messages group by 1, 2`);
    // A second attempt would mean that Telegram had answered 429.
    expect(rows).toEqual([{ state: 'sent', attempts: 1, count: raised }]);
    expect(mostWithin(telegram.messages, SECOND)).toBeLessThanOrEqual(30);
    for (const own of Map.groupBy(telegram.messages, ({ chatId }) => chatId).values())
      expect(mostWithin(own, MINUTE)).toBeLessThanOrEqual(20);
  },
);

/** The most messages within any span of this many ms. */
function mostWithin(messages: readonly { readonly at: number }[], span: number): number {
  let first = 0;
  return messages.reduce((most, { at }, index) => {
    while (messages[first]!.at <= at - span) first += 1;
    return Math.max(most, index - first + 1);
  }, 0);
}

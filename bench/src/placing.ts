import { parseArgs } from 'node:util';
import { sql } from '../../server/src/db/database.ts';
import { type ToldMovement, placeMessages } from '../../server/src/trusted-chain/place.ts';
import { makeAccount, makeMonitor, makeSupplier } from '../../server/src/testing/world.ts';
import { startRig } from './rig.ts';

/*
 * What placing one message into its account's chain costs, in a transaction of its own, by how many messages the account has: it
 * must not grow. Each next message links to the one before it.
 *
 *   npm run bench -- placing [--sizes 100,1000000] [--messages 500]
 */
const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '100,1000000' },
    messages: { type: 'string', default: '500' },
    port: { type: 'string', default: '8396' },
  },
});
const MINUTE = 60_000;

const rig = await startRig({ merchants: 1, accounts: 1 }, Number(values.port));
try {
  const { platform } = rig;
  const { supplierId } = await makeSupplier(platform);
  const { monitorId } = await makeMonitor(platform, { supplierId });
  for (const size of values.sizes.split(',').map(Number)) {
    const { accountId } = await makeAccount(platform, { supplierId, monitorId });
    const now = Math.floor(Date.now() / MINUTE);
    // Ten a minute, up to an hour ago.
    await platform.db.query(sql`
      insert into chain_nodes (account_id, id, kind, amount, balance, minute, place, is_coarse, is_surplus, is_fork, state, previous_id, next_id)
      select ${accountId}, n, 'message', 100, n * 100, ${now}::int - 60 - (${size}::int - n) / 10, n % 10, false, false, false, 'linked',
        nullif(n - 1, 0), nullif(n + 1, ${size}::int + 1) from generate_series(1, ${size}::int) n`);
    await platform.db.query(sql`vacuum analyze chain_nodes`);
    let balance = BigInt(size) * 100n;
    const messages = Array.from({ length: Number(values.messages) }, (_, n): ToldMovement => {
      balance += 100n;
      return {
        messageId: platform.ids.next(),
        accountId,
        direction: 'credit',
        amount: 100n,
        balance,
        movedAt: new Date((now - 50 + n / 10) * MINUTE),
        isPrecise: true,
      };
    });
    const costs: number[] = [];
    for (const message of messages) {
      const startedAt = performance.now();
      await platform.db.tx((tx) => placeMessages(platform, tx, [message], new Date()));
      costs.push(performance.now() - startedAt);
    }
    const [linked] = await platform.db.query<{ n: number }>(sql`
      select count(*)::int as n from chain_nodes where account_id = ${accountId} and previous_id is null`);
    if (linked!.n !== 1) throw new Error(`${linked!.n} chains instead of one`);
    costs.sort((a, b) => a - b);
    const at = (share: number) => `${costs[Math.floor(costs.length * share)]!.toFixed(2)} ms`;
    console.log(
      `an account of ${size.toLocaleString('en')} messages: one more takes ${at(0.5)} (median), ${at(0.95)} (p95)`,
    );
  }
} finally {
  await rig.stop();
}

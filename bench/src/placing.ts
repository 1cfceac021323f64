import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from '@sangam/server/platform/db/database.ts';
import { type ReportedMovement, placeMessages } from '@sangam/server/evidence/trusted-chain/place.ts';
import { makeAccount, makeMonitor, makeSupplier } from '@sangam/server/testing/world.ts';
import { startRig } from './rig.ts';

/*
 * The cost of placing one message into its account's chain, in its own transaction, by the number of the account's messages. The
 * cost must not grow. Each message links to the one before it. Accounts take turns, so that other load slows all of them alike.
 * PostgreSQL counts the chain rows read; that count does not depend on the machine's load.
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
/** PostgreSQL updates its counts with a delay of a second. */
const COUNTS_MS = 2_000;

const sizes = values.sizes.split(',').map(Number);
const count = Number(values.messages);
const rig = await startRig({ merchants: 1, accounts: 1 }, Number(values.port));
try {
  const { platform } = rig;
  const { supplierId } = await makeSupplier(platform);
  const { monitorId } = await makeMonitor(platform, { supplierId });
  const now = Math.floor(Date.now() / MINUTE);
  const sides = await Promise.all(
    sizes.map(async (size) => {
      const { accountId } = await makeAccount(platform, { supplierId, monitorId });
      // Ten messages a minute, the last an hour ago.
      await platform.db.query(sql`
        insert into chain_nodes (account_id, id, kind, amount, balance, minute, place, is_coarse, is_surplus, is_fork, state, previous_id, next_id)
        select ${accountId}, n, 'message', 100, n * 100, ${now}::int - 60 - (${size}::int - n) / 10, n % 10, false, false, false, 'linked',
          nullif(n - 1, 0), nullif(n + 1, ${size}::int + 1) from generate_series(1, ${size}::int) n`);
      return { size, accountId, costs: [] as number[] };
    }),
  );
  await platform.db.query(sql`vacuum analyze chain_nodes`);
  const scans = async () => {
    await sleep(COUNTS_MS);
    const [row] = await platform.db.query<{ scans: number; rows: number }>(sql`
      select seq_scan::int as scans, (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_user_tables where relname = 'chain_nodes'`);
    return row!;
  };
  const before = await scans();
  for (let n = 0; n < count; n += 1) {
    for (const { size, accountId, costs } of sides) {
      const message: ReportedMovement = {
        messageId: platform.ids.next(),
        accountId,
        direction: 'credit',
        amount: 100n,
        balance: BigInt(size + n + 1) * 100n,
        movedAt: new Date((now - 50 + n / 10) * MINUTE),
        isPrecise: true,
      };
      const startedAt = performance.now();
      await platform.db.tx((tx) => placeMessages(platform, tx, [message], new Date()));
      costs.push(performance.now() - startedAt);
    }
  }
  const after = await scans();
  const medians = sides.map(({ size, costs }) => {
    costs.sort((a, b) => a - b);
    const at = (share: number) => costs[Math.floor(costs.length * share)]!;
    console.log(
      `an account of ${size.toLocaleString('en')} messages: one more takes ${at(0.5).toFixed(2)} ms (median), ${at(0.95).toFixed(2)} ms (p95)`,
    );
    return at(0.5);
  });
  for (const { accountId } of sides) {
    const [linked] = await platform.db.query<{ n: number }>(sql`
      select count(*)::int as n from chain_nodes where account_id = ${accountId} and previous_id is null`);
    if (linked!.n !== 1) throw new Error(`${linked!.n} chains instead of one`);
  }
  const rows = (after.rows - before.rows) / (count * sides.length);
  console.log(
    `a message reads ${rows.toFixed(0)} rows of chains; sequential scans: ${after.scans - before.scans}`,
  );
  console.log(`the last account's costs ${(medians.at(-1)! / medians[0]!).toFixed(2)} times the first's`);
} finally {
  await rig.stop();
}

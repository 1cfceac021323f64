import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { sign } from '@sangam/contract/signature.ts';
import { sql } from '@sangam/server/platform/db/database.ts';
import { firstIdAt } from '@sangam/server/platform/db/ids.ts';
import { giveFunds } from '@sangam/server/testing/payouts.ts';
import { setTerms } from '@sangam/server/testing/world.ts';
import { type Rig, startRig } from './rig.ts';
import { compare, type Side } from './rounds.ts';

/*
 * A merchant's CSV of payouts over HTTP, over one set-based SQL call with the same effects, on the same server and tables. Over
 * HTTP: multipart, signature, idempotency by key, every row checked, numbers claimed, amount and fee frozen in the ledger, orders
 * and history written, all or none, durable before the answer.
 *
 *   npm run bench -- batch-payout [--rounds 5] [--seconds 4] [--rows 500]
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    rows: { type: 'string', default: '500' },
  },
});
const rows = Number(values.rows);
const PAYOUT = 2001;

/** Payouts per second. Each call is one whole file; calls run one after the other. */
async function payoutsFor(seconds: number, work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  let files = 0;
  while (performance.now() - startedAt < seconds * 1000) {
    await work();
    files += 1;
  }
  return ((files * rows) / (performance.now() - startedAt)) * 1000;
}

function overHttp({ url, merchants }: Rig): Side {
  const { mchId, secret } = merchants[0]!;
  let made = 0;
  const upload = async () => {
    made += 1;
    const lines = Array.from(
      { length: rows },
      (_, row) =>
        `H${made}-${row},${PAYOUT},${10_000 + row},Asha Rao,50100${100_000 + row},HDFC0000521,HDFC Bank`,
    );
    const csv = ['mchOrderNo,productId,amount,userName,cardNumber,ifscCode,bankName', ...lines].join('\n');
    const fields = { mchId, orderType: '1', key: `K${made}` };
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set('sign', sign(fields, 'md5', secret));
    form.set('file', new Blob([csv]), 'payouts.csv');
    const answer = await fetch(`${url}/v1.0/api/order/createBatch`, { method: 'POST', body: form });
    const { code } = (await answer.json()) as { code: number };
    if (code !== 200) throw new Error(`a file was answered ${code}`);
  };
  return { name: `CSV of ${rows} rows over HTTP`, run: (seconds) => payoutsFor(seconds, upload) };
}

async function bySql({ platform: { db }, merchants }: Rig): Promise<Side> {
  await db.pool.query(readFileSync(new URL('./sql/batch-payout.sql', import.meta.url), 'utf8'));
  await db.query(sql`create sequence bench_id`);
  // Ids in this month's partition that the server does not use.
  await db.query(sql`select setval('bench_id', ${firstIdAt(new Date(Date.now() - 3_600_000))})`);
  const merchantId = BigInt(merchants[1]!.mchId);
  return {
    name: 'one set-based SQL call',
    run: (seconds) =>
      payoutsFor(seconds, async () => {
        await db.query(sql`select bench_batch_payout(${merchantId}, ${rows})`);
      }),
  };
}

const rig = await startRig({ merchants: 2, accounts: 1 }, 8398);
try {
  for (const { mchId } of rig.merchants) {
    const ownerId = BigInt(mchId);
    await setTerms(rig.platform, { ownerKind: 'merchant', ownerId, productId: PAYOUT });
    await giveFunds(rig.platform, ownerId, 'INR', 10n ** 15n);
    // The merchant's frozen account exists, so that both sides only update.
    await rig.platform.db.query(sql`
      insert into ledger_accounts (id, owner_kind, owner_id, currency, bucket, floor)
      values (${rig.platform.ids.next()}, 'merchant', ${ownerId}, 'INR', 'frozen', 0)`);
  }
  const ratio = await compare(overHttp(rig), await bySql(rig), {
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
  });
  console.log(`time over the SQL's: ${(1 / ratio).toFixed(2)} (floor 6, goal 3)`);
} finally {
  await rig.stop();
}

import { parseArgs } from 'node:util';
import { sql, raw } from '@sangam/server/platform/db/database.ts';
import { createOverHttp, warmUp } from './load/sides.ts';
import { type Rig, startRig } from './rig.ts';
import { compare } from './rounds.ts';

/*
 * Creates with the sealed audit (one more column and index in the sealed tables, the sealing, and its check) over creates without.
 * The figure is orders per second of CPU, of server and PostgreSQL together, until the last row is sealed. It does not depend on
 * the machine's other load.
 *
 *   npm run bench -- audit-cost [--rounds 5] [--seconds 4] [--connections 64]
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '64' },
    port: { type: 'string', default: '8399' },
  },
});
const SHAPE = { merchants: 20, accounts: 50 };
const WARM_UP = { seconds: 20, requests: 4000 };
const port = Number(values.port);

const sealed = await startRig(SHAPE, port);
const bare = await startRig(SHAPE, port + 1);
try {
  for (const table of ['audit_log', 'order_events', 'postings', 'ledger_entries', 'approvals'])
    await bare.platform.db.query(sql`alter table ${raw(table)} drop column tx_id`);
  const load = (rig: Rig) => ({
    merchants: rig.merchants,
    productId: '1010',
    connections: Number(values.connections),
  });
  for (const rig of [sealed, bare]) await warmUp(rig, { ...load(rig), ...WARM_UP });
  const rates = new Map<Rig, number[]>([sealed, bare].map((rig) => [rig, []]));
  const side = (rig: Rig) => async (seconds: number) => {
    const before = rig.cpuMs();
    const { done, seconds: taken } = await createOverHttp(rig, { ...load(rig), seconds });
    rates.get(rig)!.push(done / taken);
    if (rig === sealed) await untilSealed(rig);
    const after = rig.cpuMs();
    return (done * 1000) / (after.server - before.server + after.postgres - before.postgres);
  };
  await compare(
    { name: 'sealed', unit: ' orders a CPU second', run: side(sealed) },
    { name: 'without the audit', unit: ' orders a CPU second', run: side(bare) },
    { rounds: Number(values.rounds), seconds: Number(values.seconds) },
  );
  const blocks = await sealed.platform.db.query<{ rows: number; blocks: number }>(sql`
    select sum(row_count)::int as rows, count(*)::int as blocks from audit_blocks`);
  console.log(`  ${blocks[0]!.rows} rows in ${blocks[0]!.blocks} blocks`);
  for (const [rig, of] of rates)
    console.log(
      `  ${rig === sealed ? 'sealed' : 'without'}: ${of.map((rate) => rate.toFixed(0)).join(', ')} orders a second`,
    );
} finally {
  await sealed.stop();
  await bare.stop();
}

async function untilSealed({ platform: { db } }: Rig): Promise<void> {
  for (;;) {
    const [row] = await db.query<{ waiting: boolean }>(sql`
      select exists (select from order_events where tx_id >= (select coalesce(max(to_tx), 0) from audit_blocks)) as waiting`);
    if (!row!.waiting) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

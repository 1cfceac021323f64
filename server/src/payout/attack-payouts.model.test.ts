import { afterAll, beforeAll, expect, test } from 'vitest';
import { setFrozen } from '../orders/holds/set-hold.ts';
import { DAY, HOUR } from '../platform/clock.ts';
import { raw, sql } from '../platform/db/database.ts';
import { ensurePartitions } from '../platform/db/partitions.ts';
import {
  attackPayouts,
  beginPayoutLife,
  CALLED_OFF,
  makePayoutWorld,
  type PayoutLife,
  type PayoutWorld,
} from '../testing/attack-payouts.ts';
import { changeFormat } from '../testing/attack-formats.ts';
import { type PayoutAttack, payoutAttack } from '../testing/attack-payouts-model.ts';
import { brokenChecks } from '../testing/books.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { inParallel, named, runSequences } from '../testing/sequences.ts';
import { askAboutEnded } from './ask-gateways.ts';
import { reportDebitsOfEnded } from './ended-debits.ts';
import { matchDebits } from './match-debits.ts';
import { proveConfirmed } from './prove.ts';

/**
 * Attacks on payouts. Suppliers claim, confirm, upload files and state UTRs. The desk acts on rows it saw earlier, and calls off batches
 * that may be at the bank. Freezes come in between. A gateway never answers and pays all the same. Debits are reported in one wording or
 * two. One superAdmin forges the format of a file. The test proves that everything proven, reversed or paid out rests on somebody who may
 * decide it.
 */

const USUAL = 300;
const BLOCK = 50;
/** Longer than the interval at which gateways are asked about ended payouts. */
const WAIT = 7 * HOUR;

let node: TestPlatform;
let world: PayoutWorld;
beforeAll(async () => {
  node = await createTestPlatform();
  // Each user of the staff may decide one payout a day alone; more needs a second person.
  await node.platform.settings.write('UnprovenDayLimit', { INR: 500_00, KES: 0, USDT: 0 }, null);
  world = await makePayoutWorld(node.platform, BLOCK);
}, 120_000);
afterAll(() => node.close());

interface Proven {
  readonly id: bigint;
  readonly supplierId: bigint | null;
}

/** Completed payouts that count as proven without a joined debit. */
async function provenByWord(ids: readonly bigint[]): Promise<Map<bigint, Proven>> {
  const rows = await node.platform.db.query<Proven>(sql`
    select o.id, o.supplier_id as "supplierId" from payout_orders o
    where o.id = any(${ids}) and o.status = 3 and not o.unproven
      and not exists (select from message_matches mm where mm.order_id = o.id)`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The supplier that was credited for each completed payout, proven or not. */
async function creditedTo(ids: readonly bigint[]): Promise<Map<bigint, bigint | null>> {
  const rows = await node.platform.db.query<Proven>(sql`
    select id, supplier_id as "supplierId" from payout_orders where id = any(${ids}) and status = 3`);
  return new Map(rows.map(({ id, supplierId }) => [id, supplierId]));
}

/** Payouts that were reversed by somebody who may not, without a second person. */
async function wronglyReversed(ids: readonly bigint[]): Promise<Set<bigint>> {
  const rows = await node.platform.db.query<{ id: bigint }>(sql`
    select e.order_id as id from order_events e left join users u on u.id = e.actor_id
    where e.order_id = any(${ids}) and e.kind = 'reversed' and u.role is distinct from 'superAdmin' and not e.data ? 'approvalId'`);
  return new Set(rows.map(({ id }) => id));
}

/** Users of the staff who, alone and in one day, put back more payouts that may have been paid than UnprovenDayLimit allows. */
async function tookBackAlone(): Promise<readonly object[]> {
  const limit = BigInt((await node.platform.settings.all()).UnprovenDayLimit.INR);
  const staff = world.gangs.flatMap((gang) => Object.values(gang.staff).map(({ userId }) => userId));
  return node.platform.db.query(sql`
    select e.actor_id as "userId", sum(o.amount)::bigint as amount
    from order_events e join payout_orders o on o.id = e.order_id
    where e.actor_id = any(${staff})
      and (e.kind = 'claimCancelled' or e.kind = 'unbatched' and e.reason = ${CALLED_OFF})
    group by 1, (e.created_at at time zone 'Asia/Kolkata')::date having sum(o.amount) > ${limit}`);
}

/** Payouts that debits completed by the amount, with the debit's reference; empty for a debit without one. */
function completedByAmount(ids: readonly bigint[]): Promise<{ id: bigint; utr: string }[]> {
  return node.platform.db.query(sql`
    select mm.order_id as id, coalesce(m.utr, '') as utr from message_matches mm join messages m on m.id = mm.message_id
    where mm.order_id = any(${ids}) and mm.evidence = 'payoutAmount'`);
}

async function notified(
  ids: readonly bigint[],
  kind: 'bankSaysUnpaid' | 'gatewaySaysPaid',
): Promise<Set<bigint>> {
  const rows = await node.platform.db.query<{ id: bigint }>(sql`
    select distinct (data->>'order')::bigint as id from inbox_messages where kind = ${kind} and data->>'order' = any(${ids.map(String)})`);
  return new Set(rows.map(({ id }) => id));
}

/** Freezes and holds are set by their commands, because verify reads them from the audit. */
async function liftHolds(): Promise<void> {
  for (const subjectKind of ['merchant', 'supplier'] as const) {
    const held = await node.platform.db.query<{ id: bigint }>(
      sql`select id from ${raw(`${subjectKind}s`)} where frozen`,
    );
    await inParallel(held, async ({ id }) => {
      const subject = { subjectKind, subjectId: String(id), reason: 'a new block' };
      await setFrozen(node.platform, world.desk, { ...subject, frozen: false });
    });
  }
}

test(
  named('nobody is paid, refunded or proven without somebody who may say so', USUAL),
  { timeout: 7_200_000 },
  () => {
    let round = 0;
    return runSequences<PayoutLife, PayoutAttack>({
      name: 'attack-payouts',
      usual: USUAL,
      block: BLOCK,
      command: payoutAttack,
      steps: { min: 3, max: 9 },
      async begin(seeds) {
        // A block of steps lasts three days.
        await ensurePartitions(node.owner, node.clock.now(), new Date(node.clock.now().getTime() + 7 * DAY));
        await liftHolds();
        // Payouts that were left waiting are claimed by nobody any more.
        await node.platform.db.query(sql`update payout_orders set frozen = true where status = 0`);
        world.paidByGateway.clear();
        await inParallel(world.gangs, ({ templateId }) =>
          changeFormat(node.platform, world.bosses, templateId, false),
        );
        return seeds.map((_, index) => beginPayoutLife(world.gangs[index]!));
      },
      async round(turns, _runs, index) {
        round = index;
        node.clock.advance(WAIT);
        await askAboutEnded(node.platform, world.channels);
        await inParallel(turns, ({ life, command }) =>
          attackPayouts(node.platform, world, life, command, index),
        );
        await matchDebits(node.platform);
        await proveConfirmed(node.platform);
        await reportDebitsOfEnded(node.platform);
      },
      async compare(runs) {
        const ids = runs.flatMap(({ life }) => life.payouts);
        const [proven, credited, reversed, unpaid, paid, taken, joined] = await Promise.all([
          provenByWord(ids),
          creditedTo(ids),
          wronglyReversed(ids),
          notified(ids, 'bankSaysUnpaid'),
          notified(ids, 'gatewaySaysPaid'),
          tookBackAlone(),
          completedByAmount(ids),
        ]);
        for (const run of runs) {
          const { life } = run;
          const own = life.payouts.filter(
            (id) => (proven.get(id)?.supplierId ?? null) !== null && !life.stated.has(id),
          );
          run.same('payouts proven by nobody but their supplier', own, []);
          run.same(
            'payouts taken back by one person alone',
            life.payouts.filter((id) => reversed.has(id)),
            [],
          );
          const mistaken = [...life.seenPaid].filter(
            ([id, supplierId]) => credited.has(id) && credited.get(id) !== supplierId,
          );
          run.same('confirmations that credited another than was seen', mistaken, []);
          const strange = joined.filter(
            ({ id, utr }) =>
              life.payouts.includes(id) && (utr === '' || (life.movedFor.get(utr) ?? id) !== id),
          );
          run.same('payouts completed by a debit whose money paid another', strange, []);
          run.same('what was done though it was held, or by one person', life.wrong, []);
          run.same('what one of the staff took back beyond its day', taken, []);
          run.same(
            'rejections by the bank that nobody was told of',
            [...life.bankRejected].filter((id) => !unpaid.has(id)),
            [],
          );
          const late = [...life.gatewayPaid].filter(
            ([id, at]) => at < round && (life.refunded.get(id) ?? round) < round && !paid.has(id),
          );
          run.same('payments of refunded payouts that nobody was told of', late, []);
        }
      },
      async end() {
        expect(await brokenChecks(node.platform)).toEqual([]);
      },
    });
  },
);

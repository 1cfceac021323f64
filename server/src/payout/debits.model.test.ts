import { afterAll, beforeAll, expect, test } from 'vitest';
import { matchDelayed } from '../evidence/matching/delayed.ts';
import { releaseHeld } from '../evidence/matching/release-held.ts';
import { DAY, MINUTE, SECOND } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { ensurePartitions } from '../platform/db/partitions.ts';
import { brokenChecks } from '../testing/books.ts';
import { type Block, blocksOf, type Payment, paymentOf, type Which } from '../testing/debit-rows.ts';
import {
  act,
  beginLife,
  type DebitGang,
  type DebitLife,
  makeGangs,
  makeStaff,
  report,
  type Staff,
} from '../testing/debit-world.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { inParallel, named } from '../testing/sequences.ts';
import { isReport } from '../testing/step-rows.ts';
import { reportDebitsOfEnded } from './ended-debits.ts';
import { expireClaims } from './expire-claims.ts';
import { matchDebits } from './match-debits.ts';
import { proveConfirmed } from './prove.ts';
import { reportReturned } from './returned.ts';

/**
 * The bank's messages about two payouts of one sum, in every order and every grouping into reports, with what people do in between. However
 * they come: a debit proves one payout, what is proven has its debit or the word of two people, and money that left for an unpaid payout of a
 * file or a claim that was refunded or given back, or came back, is told to the admins.
 */

const USUAL = 100;
const TURNS = 10;

let node: TestPlatform;
let staff: Staff;
let gangs: DebitGang[] = [];
beforeAll(async () => {
  node = await createTestPlatform();
  const { platform } = node;
  await platform.settings.write('ClaimsGivenBackPerDay', 10_000, null);
  await platform.settings.write('UnprovenDayLimit', { INR: 0, KES: 0, USDT: 0 }, null);
});
afterAll(() => node.close());

async function pass(ms: number): Promise<void> {
  const { platform, clock } = node;
  for (const part of ms > 10 * MINUTE ? [10 * SECOND, ms - 10 * SECOND] : [ms]) {
    clock.advance(part);
    await platform.db.query(sql`update monitors set last_seen_at = ${clock.now()}`);
    while ((await expireClaims(platform)) > 0);
    while ((await matchDelayed(platform)) > 0);
    await releaseHeld(platform);
    // Accounts take turns.
    for (let turn = 0; turn < TURNS; turn += 1)
      for (const sweep of [matchDebits, proveConfirmed]) await sweep(platform);
    for (const sweep of [reportDebitsOfEnded, reportReturned]) while ((await sweep(platform)) > 0);
  }
}

/** A notification of the admins is written for each of them. */
async function disableOthers(): Promise<void> {
  const ids = gangs.slice(1).flatMap(({ shop }) => [shop.adminId, shop.superAdminId, shop.admin.userId]);
  await node.platform.db.query(sql`update users set role = 'technicalSupport' where id = any(${ids})`);
}

let block = 0;
async function begin({ rows, shop }: Block): Promise<DebitLife[]> {
  const { platform, clock, owner } = node;
  await ensurePartitions(owner, clock.now(), new Date(clock.now().getTime() + 25 * DAY));
  const has = gangs.length;
  if (has < rows.length) gangs = [...gangs, ...(await makeGangs(platform, rows.length - has))];
  staff ??= await makeStaff(platform);
  await disableOthers();
  await platform.db.query(sql`update suppliers set open_claims_max = 1000000`);
  await owner.query(sql`analyze messages`);
  await platform.settings.write('MessageDelay', shop.delay ? 60 : 0, null);
  block += 1;
  const amount = 500_00n + BigInt(block) * 3_00n;
  const lives: DebitLife[] = [];
  for (const [index, row] of rows.entries())
    lives.push(await beginLife(platform, row, shop, gangs[index]!, amount));
  return lives;
}

interface Found {
  readonly id: bigint;
  readonly status: number;
  readonly unproven: boolean;
  readonly utr: string | null;
  readonly supplierId: bigint | null;
  readonly isReversed: boolean;
  readonly isAccepted: boolean;
  readonly hasFailed: boolean;
  /** The debit alone completed it: by its number, or by its sum. */
  readonly isByDebit: boolean;
  /** The phone's id of its debit. */
  readonly joined: string | null;
  readonly isTold: boolean;
  readonly finishedAt: Date | null;
}
type Payout = Found & { readonly which: Which };

const TELLING = ['moneyWentBack', 'claimContradicted', 'endedPayoutDebited', 'bookedOtherwise'];

async function foundOf(lives: readonly DebitLife[]): Promise<Map<bigint, Found>> {
  const ids = lives.flatMap(({ ids: { A, B } }) => [A, B]);
  const has = (kind: string) =>
    sql`exists (select from order_events e where e.order_id = o.id and e.kind = ${kind})`;
  const rows = await node.platform.db.query<Found>(sql`
    select o.id, o.status, o.unproven, o.utr, o.supplier_id as "supplierId", o.finished_at as "finishedAt", o.reversed_at is not null as "isReversed",
      ${has('proofAccepted')} as "isAccepted", ${has('failed')} as "hasFailed", m.external_id as joined,
      exists (select from order_events e where e.order_id = o.id and e.kind = 'completed' and e.data ? 'evidence') as "isByDebit",
      exists (select from inbox_messages i where i.data->>'order' = o.id::text and i.kind = any(${TELLING})) as "isTold"
    from payout_orders o left join message_matches mm on mm.order_id = o.id left join messages m on m.id = mm.message_id
    where o.id = any(${ids})`);
  return new Map(rows.map((row) => [row.id, row]));
}

const debitOf = ({ told }: DebitLife, { joined }: Found): Payment | undefined => {
  const message = joined === null ? undefined : told.get(joined);
  return message && paymentOf(message);
};

function provenBy(life: DebitLife, payouts: readonly Payout[], which: Payment): readonly Payout[] {
  return payouts.filter((payout) => {
    if (payout.status !== 3 || payout.unproven) return false;
    const by = debitOf(life, payout);
    return by === undefined ? !payout.isAccepted && payout.utr === life.utrs[which] : by === which;
  });
}

/** Somebody stated the number of another payment, or gave a payout back that was paid and whose payee the debit does not state. */
const isLied = ({ row, shop }: DebitLife) =>
  row.steps.some(
    (step) =>
      !isReport(step) &&
      (/(A (says|desk) [QXI]|B (says|desk) [PI]|B file P)/.test(step) ||
        (step.endsWith('gives') && !shop.digits)),
  );

/** The payout was completed more than three days before this money left for it: its debit was not waited for any more. */
const isLate = ({ status, isReversed, finishedAt }: Payout, { at }: { readonly at: Date }) =>
  (status === 3 || isReversed) && finishedAt !== null && at.getTime() - finishedAt.getTime() > 3 * DAY;

function wrongIn(life: DebitLife, found: ReadonlyMap<bigint, Found>): string[] {
  const payouts = (['A', 'B'] as const).map((which) => ({ which, ...found.get(life.ids[which])! }));
  const messages = [...life.told.values()];
  const isBack = messages.includes('P return') || messages.includes('P namingReturn');
  return [
    ...(['P', 'Q'] as const).flatMap((which) =>
      provenBy(life, payouts, which).length > 1 ? [`${which} proves both`] : [],
    ),
    ...(provenBy(life, payouts, 'X').length > 0 ? ['another sum proves a payout'] : []),
    ...provenBy(life, payouts, 'P').flatMap(({ which, isTold }) =>
      isBack && !isTold ? [`the money of ${which} came back, and nobody was told`] : [],
    ),
    ...payouts.flatMap((payout) => wrongWith(life, payouts, payout)),
    ...(isBack ? (['Q'] as const) : (['P', 'Q'] as const)).flatMap((paid) => untold(life, payouts, paid)),
  ];
}

function wrongWith(life: DebitLife, payouts: readonly Payout[], payout: Payout): string[] {
  const { which, status, unproven, joined, isAccepted } = payout;
  if (status !== 3) return [];
  const isProven = joined !== null || isAccepted;
  const by = debitOf(life, payout);
  const moved = by && life.moved.get(by);
  const { from, pays } = moved ?? {};
  const isOfOther = payouts.some((each) => each.which === pays && each !== payout && !isLate(each, moved!));
  return [
    ...(unproven || isProven ? [] : [`${which} is proven by nothing`]),
    ...(from && from.supplierId !== payout.supplierId
      ? [`${which} is proven by another supplier's debit`]
      : []),
    ...(payout.isByDebit && isOfOther && !isLied(life) ? [`the debit of ${pays} has paid ${which}`] : []),
  ];
}

/**
 * A payment of a file's payout that the book has as unpaid, or of a claim that was refunded or given back. What the bank called unpaid after
 * the debit may have come back.
 */
function untold(life: DebitLife, payouts: readonly Payout[], paid: 'P' | 'Q'): string[] {
  const moved = life.moved.get(paid);
  const payout = payouts.find(({ which }) => which === moved?.pays);
  const { has } = life.shop;
  const isFiled = has === 'files' || (has === 'claimAndFile' && payout?.which === 'B');
  const isRefunded = payout?.status === 6 && payout.supplierId !== null;
  const isGivenBack = payout?.status === 0;
  if (!moved || !payout || !(isFiled || isRefunded || isGivenBack)) return [];
  if (payout.hasFailed || payout.isReversed || payout.isTold) return [];
  const isUnpaid = [0, 4, 6, 9].includes(payout.status) || payout.supplierId !== moved.from.supplierId;
  const isUsed = payouts.some(
    (each) => each.status === 3 && (debitOf(life, each) === paid || each.utr === life.utrs[paid]),
  );
  return isUnpaid && !isUsed ? [`${paid} paid ${payout.which}, and nobody was told`] : [];
}

async function play(lives: readonly DebitLife[], gap: number): Promise<string[]> {
  const { platform } = node;
  const rounds = Math.max(...lives.map(({ row }) => row.steps.length));
  for (let round = 0; round < rounds; round += 1) {
    const turns = lives.filter(({ row }) => round < row.steps.length);
    await inParallel(turns, async (life) => {
      const step = life.row.steps[round]!;
      if (isReport(step)) await report(platform, life, step);
      else await act(platform, staff, life, step);
    });
    await pass(gap * MINUTE);
  }
  // A debit that may be of another payout is told after two days.
  await pass(2 * DAY + 5 * MINUTE);
  const found = await foundOf(lives);
  return lives.flatMap((life) =>
    wrongIn(life, found).map(
      (what) =>
        `${what}: ${life.row.name} (${Object.values(life.shop).join(', ')})\n  ${life.trail.join('\n  ')}`,
    ),
  );
}

test(
  named('a debit proves one payout, and nothing is paid or comes back untold', USUAL),
  { timeout: 7_200_000 },
  async () => {
    for (const block of blocksOf(USUAL)) {
      const problems = await play(await begin(block), block.gap);
      expect(problems, `${block.gap} minutes between the steps`).toEqual([]);
    }
    expect(await brokenChecks(node.platform)).toEqual([]);
  },
);

import { sql, type Tx } from '../platform/db/database.ts';
import type { ApprovalHandlers } from '../approvals/approval.ts';
import { DAY, HOUR, MINUTE } from '../platform/clock.ts';
import type { Platform } from '../platform/platform.ts';
import { storeSetting } from '../platform/settings/settings.ts';
import { receivingCast } from './cast.ts';
import { readDemoFile, writeDemoFile, type DemoFile } from './demo-file.ts';
import { makeDemoBatches } from './demo-batches.ts';
import { makeDemoBeneficiary } from './demo-beneficiary.ts';
import { makeDemoBots } from './demo-bots.ts';
import { makeDemoSlips } from './demo-slips.ts';
import { incidentsBefore } from './incidents.ts';
import { planMessages } from './plan-messages.ts';
import { planMoney } from './plan-money.ts';
import { planOrders } from './plan-orders.ts';
import type { PastPayout } from './plan-payouts.ts';
import { createRandom } from './random.ts';
import { railUrls, makeWorld, type World } from './world.ts';
import { writeAddresses } from './write-addresses.ts';
import { writeHistory } from './write-history.ts';
import { writeVisits } from './write-visits.ts';

/** An arbitrary lock key, so that two nodes that start on one empty database seed it once. */
const LOCK_KEY = 7_426_003;
/** How long a node waits while another one seeds. */
const LONGEST_SEED = 10 * MINUTE;
const SEED = 20_26;
const ORDERS_SHARE = 0.85;
const INVOICE_ISSUER = 'Sangam Demo Pvt Ltd, 12 MG Road, Kochi, GSTIN 32AAAAA0000A1Z5';
/** The age of the newest past order. Everything that follows from it is then in the past too. */
const QUIET = 6 * MINUTE;

export interface DemoSize {
  /** Orders and payouts together. */
  readonly historyOrders?: number;
  readonly historyDays?: number;
  /** How many receiving accounts. Beyond the cast's own, more are made at the same banks, because a busy platform has more than ten. */
  readonly receivingAccounts?: number;
}

export interface DemoOptions extends DemoSize {
  readonly dataDir: string;
  /** The handlers of approvals. Two people release the demo's pay script and reverse orders. */
  readonly approvals: ApprovalHandlers;
  /** The URL of this installation. The simulators read it. */
  readonly url: string;
}

export interface DemoOutcome {
  readonly seeded: boolean;
  /** Undefined when another node with its own data folder seeded the database. */
  readonly demo: DemoFile | undefined;
}

/**
 * Fills a database without users with the demo world, in one transaction. An interrupted start leaves the database empty, and the next
 * start begins again. In a seeded database it only updates the URL in demo.json.
 */
export async function seedDemo(platform: Platform, options: DemoOptions): Promise<DemoOutcome> {
  const { dataDir, url, approvals, historyOrders = 24_000, historyDays = 60 } = options;
  const cast = receivingCast(options.receivingAccounts);
  const demo = await platform.db.tx(async (tx) => {
    await tx.query(sql`
      select set_config('lock_timeout', ${String(LONGEST_SEED)}, true), set_config('statement_timeout', ${String(LONGEST_SEED)}, true),
        -- A long history is made up in memory while the transaction is open.
        set_config('idle_in_transaction_session_timeout', ${String(LONGEST_SEED)}, true)`);
    await tx.query(sql`select pg_advisory_xact_lock(${LOCK_KEY})`);
    if ((await tx.query(sql`select 1 from users limit 1`)).length > 0) return undefined;
    const now = platform.clock.now();
    const since = new Date(now.getTime() - historyDays * DAY);
    const { world, file } = await makeWorld(
      platform,
      tx,
      new Date(since.getTime() - 3 * HOUR),
      cast,
      approvals,
    );
    await makeDemoBots(platform, tx, world, approvals);
    await makeDemoBeneficiary(platform, tx, world, approvals);
    const userId = world.userIds.get('superadmin')!;
    await storeSetting(tx, { name: 'InvoiceIssuer', value: INVOICE_ISSUER, userId, at: since });
    const span = { total: historyOrders, from: since, to: new Date(now.getTime() - QUIET) };
    const payouts = await makeHistory(platform, tx, world, span, approvals);
    await makeDemoSlips(platform, tx, world, payouts);
    await makeDemoBatches(platform, tx, world);
    // Written before the commit, because a world whose secrets cannot be read would be useless.
    await writeDemoFile(dataDir, { url, ...file });
    return { url, ...file };
  }, LONGEST_SEED);
  if (demo) {
    await platform.settings.refresh();
    // Queries of the first lists should not wait for autovacuum.
    await platform.db.tx(async (tx) => {
      await tx.query(sql`select set_config('statement_timeout', ${String(LONGEST_SEED)}, true)`);
      await tx.query(sql`analyze`);
    }, LONGEST_SEED);
    return { seeded: true, demo };
  }
  const known = await readDemoFile(dataDir);
  if (!known) return { seeded: false, demo: undefined };
  // A world that was seeded before gateways existed has none.
  const gateway = known.gateway && { ...known.gateway, url: platform.config.gatewayUrl };
  const rails = known.rails && { ...known.rails, ...railUrls(platform.config) };
  const current = { ...known, url, ...(gateway && { gateway }), ...(rails && { rails }) };
  if (JSON.stringify(current) !== JSON.stringify(known)) await writeDemoFile(dataDir, current);
  return { seeded: false, demo: current };
}

async function makeHistory(
  platform: Platform,
  tx: Tx,
  world: World,
  { total, from, to }: { readonly total: number; readonly from: Date; readonly to: Date },
  approvals: ApprovalHandlers,
): Promise<readonly PastPayout[]> {
  const random = createRandom(SEED);
  const incidents = incidentsBefore(to);
  const { BankHolidays } = await platform.settings.all();
  const count = Math.round(total * ORDERS_SHARE);
  const orders = planOrders(platform.ids, world, { count, from, to }, incidents, random);
  const { payouts, movements } = planMoney(
    platform.ids,
    world,
    orders,
    { payouts: total - count, from, to, holidays: new Set(BankHolidays), incidents },
    random,
  );
  const messages = planMessages(platform.ids, world, { orders, payouts }, { from, to }, random);
  await writeHistory(platform, tx, world, { orders, payouts, messages, movements }, approvals);
  await writeVisits(tx, orders, createRandom(SEED + 1));
  await writeAddresses(platform, tx, world, incidents);
  return payouts;
}

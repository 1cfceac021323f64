import { DEMO_CATCHER } from '@sangam/contract/demo-catcher.ts';
import type { DemoPayment } from '@sangam/contract/demo-payments.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsoleClient } from './console/console-client.ts';
import { readDemo } from './demo-file.ts';
import { openCatcher } from './merchant/catcher.ts';
import type { MerchantEndpoint } from './merchant/merchant-endpoint.ts';
import { loopbackUrl } from './loopback.ts';
import { openSuppliers, run } from './run.ts';
import { openServices, portOf, type Services } from './services.ts';
import type { PayingSupplier } from './payout/payout-life.ts';
import { type DemoChats, openDemoChats } from './telegram/demo-chats.ts';
import { createMagic } from './magic-amounts.ts';
import type { Phones } from './monitor/phones.ts';
import { isSimulating } from './turns.ts';
import { createVisitor } from './visitor.ts';

/**
 * The demo's outside world, for as long as the demo runs: phones that report bank messages, merchants, payers, suppliers, gateways,
 * TRON and M-Pesa. The demo's server starts it as a process of its own (not with DEMO_TRAFFIC=0) and passes its data folder. Round
 * after round it makes a few orders and payouts of every kind and outcome. When `npm run simulate` runs, this process ends; the
 * server starts it again.
 */

const ROUND = { orders: 12, payouts: 4, rate: 0.1, mischief: 0.3, graceMs: 20_000 } as const;
/** The pause after a round that failed: the server may be starting or stopping. */
const PAUSE_MS = 10_000;
const LOOK_MS = 500;
/** How often orders with a magic amount are looked for. */
const MAGIC_MS = 2_000;
/** How many requests are left for a visitor to decide. */
const OPEN_REQUESTS = 3;

const [data] = process.argv.slice(2);
if (data === undefined) throw new Error('usage: outside-world.ts DATA_FOLDER');
// Without its server this process has nothing to do.
process.on('disconnect', () => process.exit(0));
const visitor = createVisitor(pauses);
let inUse: Phones | undefined;
let suppliers: readonly PayingSupplier[] = [];
// The server sends payments.
process.on('message', (payment) => visitor.pay(payment as DemoPayment));

while (await isSimulating(data)) await sleep(LOOK_MS);
const demo = await readDemo(data);
const statistics = { calls: 0, retries: 0 };
const common = { demo, data, urls: [loopbackUrl(demo.url)], statistics, mischief: ROUND.mischief };
let services: Services | undefined;
let chats: DemoChats | undefined;
let catcher: MerchantEndpoint | undefined;
let magic: NodeJS.Timeout | undefined;
let lastSaid: string | undefined;
setInterval(() => void endForSimulation(data), LOOK_MS);

for (;;) {
  const seed = Date.now() % 2 ** 31;
  try {
    services ??= await openServices({ ...common, seed, onListening: () => process.send?.('listening') });
    catcher ??= await openCatcher(demo, (caught) => process.send?.(caught)).catch(nobodyCatches);
    magic ??= startMagic(services.desk.service);
    if (demo.rails) chats ??= await openDemoChats(portOf(demo.rails.telegramUrl));
    await leaveRequests(services);
    chats?.talk(await mayInstruct(services));
    await run({ ...ROUND, ...common, services, seed, onProgress: () => {}, onPhones });
  } catch (error) {
    pauses(error);
    await sleep(PAUSE_MS);
  }
}

function pauses(error: unknown): void {
  sayOnce(`The demo's traffic pauses: ${error instanceof Error ? error.message : String(error)}`);
}

/** Another demo on this machine has the port. The rest of the world goes on. */
function nobodyCatches(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
  sayOnce(
    `${DEMO_CATCHER} is another program's, perhaps a second demo's: what merchants are notified of shows in the order's drawer only.`,
  );
}

/** A problem that repeats is reported only once. */
function sayOnce(line: string): void {
  if (line !== lastSaid) process.stderr.write(`${line}\n`);
  lastSaid = line;
}

/** Payments that visitors ask for use the phones, and the suppliers' accounts, of the current round. */
function onPhones(phones: Phones | undefined): void {
  visitor.turnTo(phones);
  suppliers = [];
  inUse = phones;
  if (!phones || !services) return;
  openSuppliers(services.suppliers, phones).then((opened) => {
    if (inUse === phones) suppliers = opened;
  }, pauses);
}

function startMagic(desk: ConsoleClient): NodeJS.Timeout {
  const { look } = createMagic({
    demo,
    desk,
    since: new Date(),
    pay: visitor.pay,
    suppliers: () => suppliers,
    onProblem: pauses,
  });
  let isLooking = false;
  return setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void look()
      .catch(pauses)
      .finally(() => (isLooking = false));
  }, MAGIC_MS);
}

/** Customer service requests top-ups that nobody here approves, so that a visitor finds some. */
async function leaveRequests({ desk }: Services): Promise<void> {
  const { data: open } = await desk.service.get('/v1.0/todo/getStarted', { status: 'pending' });
  const missing = OPEN_REQUESTS - (open['total'] as number);
  for (const [index, { mchId }] of demo.merchants.slice(0, Math.max(0, missing)).entries())
    await desk.service.post('/v1.0/fundRecord/topUp', {
      ownerKind: 'merchant',
      ownerId: mchId,
      currency: 'INR',
      amount: (index + 1) * 25_000_00,
      reason: 'Bank transfer received on our own account',
      requestKey: `demo-${Date.now()}-${index}`,
    });
}

/** Whether the supplier's desk may give another instruction: nobody here decides them, so their number is limited. */
async function mayInstruct({ desk }: Services): Promise<boolean> {
  const filters = { kind: 'transferInstruction' };
  const { data: open } = await desk.admin.get('/v1.0/todo/getMine', filters);
  return (open['total'] as number) < OPEN_REQUESTS;
}

async function endForSimulation(folder: string): Promise<void> {
  if (await isSimulating(folder)) process.exit(0);
}

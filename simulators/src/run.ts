import { setTimeout as sleep } from 'node:timers/promises';
import {
  askForOutcomes,
  askForPayouts,
  describe,
  announceUncertain,
  reverseSome,
  takePayoutsBack,
} from './aftermath.ts';
import { createReferences } from './bank/account-book.ts';
import { proveChains, readOpenings } from './bank/read-chain.ts';
import { writeNoise } from './bank/write-noise.ts';
import type { ConsoleClient } from './console/console-client.ts';
import type { Demo } from './demo-file.ts';
import type { Desk } from './desk/desk.ts';
import { liveOrder, type Surroundings } from './live-order.ts';
import { createMerchantClient } from './merchant/merchant-client.ts';
import { startMerchantEndpoint, type MerchantEndpoint } from './merchant/merchant-endpoint.ts';
import type { Phone } from './monitor/phone.ts';
import { openPhones, type Phones } from './monitor/phones.ts';
import { mustBeCredited, type OrderLife, type SentMessage } from './order-life.ts';
import type { CallerStatistics } from './patient-caller.ts';
import { createPayerClient } from './payer/payer-client.ts';
import { runRails } from './rails/rail-run.ts';
import { payByBatches } from './payout/batch-run.ts';
import { livePayout } from './payout/live-payout.ts';
import { type PayingSupplier, type PayoutLife, staysOpen } from './payout/payout-life.ts';
import { planPayouts } from './payout/payout-plan.ts';
import { neverAcknowledges, planOrders, reactionOf } from './plan.ts';
import { createPrng } from './prng.ts';
import type { Services } from './services.ts';
import { makeStatement, type Statement } from './statement.ts';

export interface RunOptions {
  readonly demo: Demo;
  readonly services: Services;
  /** Nodes to call; the address in demo.json where absent. */
  readonly urls: readonly string[];
  readonly orders: number;
  readonly payouts: number;
  readonly seed: number;
  readonly rate: number;
  readonly mischief: number;
  /** Milliseconds that the run waits for callbacks after the last payment was reported. */
  readonly graceMs: number;
  readonly statistics: CallerStatistics;
  readonly onProgress: (line: string) => void;
  /** Called with the run's phones, and with undefined when they are gone. */
  readonly onPhones?: (phones: Phones | undefined) => void;
}

const PROGRESS_MS = 5_000;
/** The most orders of each rail beside the ordinary ones. */
const MOST_RAILS = 40;

/** One run: orders and payouts are made, paid and reported; then the run waits for callbacks and judges the result. */
export async function run(options: RunOptions): Promise<Statement> {
  const { demo, urls, seed, statistics } = options;
  const { desk, gateway } = options.services;
  const products = [
    ...new Set(demo.monitors.flatMap(({ accounts }) => accounts.map(({ productId }) => productId))),
  ];
  const plans = planOrders({ ...options, merchants: demo.merchants.length, products });
  const planOf = new Map<string, (typeof plans)[number]>();
  const endpoint = await startMerchantEndpoint({
    merchants: demo.merchants,
    react: (mchOrderNo, attempt) => {
      const plan = planOf.get(mchOrderNo);
      return plan ? reactionOf(plan, attempt) : { kind: 'success' };
    },
  });
  const clients = demo.merchants.map((merchant) =>
    createMerchantClient({ url: urls, ...merchant, statistics }),
  );
  // The run's name keeps its order numbers and message ids apart from other runs with the same seed.
  const name = `${seed}-${Date.now().toString(36)}`;
  const orders = plans.map((plan): OrderLife => {
    const mchOrderNo = `SIM${name}-${plan.index}`;
    planOf.set(mchOrderNo, plan);
    return {
      plan,
      mchId: demo.merchants[plan.merchant]!.mchId,
      client: clients[plan.merchant]!,
      mchOrderNo,
      created: null,
      account: null,
      refusal: null,
      paid: null,
      said: null,
      error: null,
      queried: null,
    };
  });
  const payouts = planPayouts({
    ...options,
    durationMs: plans.at(-1)?.createAtMs ?? 0,
    merchants: demo.merchants.length,
    everyWay: demo.gateway !== undefined,
  }).map((plan): PayoutLife => ({
    plan,
    mchId: demo.merchants[plan.merchant]!.mchId,
    client: clients[plan.merchant]!,
    mchOrderNo: `PAY${name}-${plan.index}`,
    orderCode: null,
    refusal: null,
    paid: null,
    claimsWon: null,
    error: null,
    queried: null,
    row: null,
  }));
  const messages: SentMessage[] = [];
  const begunAt = new Date();
  const openings = await readOpenings(desk.superAdmin, demo);
  const onProblem = (error: unknown) => options.onProgress(`heartbeat: ${describe(error)}`);
  const phones = await openPhones(demo, urls, statistics, createPrng(seed, -1), onProblem, openings);
  options.onPhones?.(phones);
  const progress = setInterval(() => options.onProgress(progressLine(orders, endpoint)), PROGRESS_MS);
  try {
    let messageCount = 0;
    const newMessageId = () => `${name}-${(messageCount += 1)}`;
    const suppliers = await openSuppliers(options.services.suppliers, phones);
    if (payouts.length > 0) await desk.allowHandingOn();
    await fundPayouts(desk, payouts, name);
    await fundDeposits(desk, plans, name);
    const around: Surroundings = {
      notifyUrl: endpoint.notifyUrl,
      desk,
      payers: createPayerClient({ url: urls, statistics }),
      accountOf: phones.accountOf,
      otherThan: phones.otherThan,
      supplierOf: (account) => {
        const owner = suppliers.find(({ accounts }) => accounts.some((each) => each.account === account));
        if (!owner) throw new Error(`no supplier of the demo owns ${account.bank} ${account.accountTail}`);
        return owner.console;
      },
      references: createReferences(new Date()),
      messages,
      newMessageId,
    };
    const startedAt = Date.now();
    const planned = (atMs: number) => sleep(Math.max(0, atMs - (Date.now() - startedAt)));
    const lives = orders.map(async (order) => {
      await planned(order.plan.createAtMs);
      await liveOrder(order, around).catch((error: unknown) => {
        order.error = describe(error);
      });
    });
    const payoutLives = payouts.map(async (payout) => {
      await planned(payout.plan.createAtMs);
      const { notifyUrl, references } = around;
      await livePayout(payout, {
        notifyUrl,
        references,
        messages,
        newMessageId,
        suppliers,
        desk: desk.service,
        gateway,
      }).catch((error: unknown) => {
        payout.error = describe(error);
      });
    });
    const noise = makeNoise(phones.all, messages, newMessageId, {
      ...options,
      lastMs: plans.at(-1)?.createAtMs ?? 0,
    });
    const rails = runRails(
      {
        ...options,
        count: Math.min(MOST_RAILS, Math.ceil(options.orders / 20)),
        name,
        notifyUrl: endpoint.notifyUrl,
        clients,
        payers: around.payers,
        desk,
      },
      options.services.rails,
    );
    await Promise.all([...lives, ...payoutLives, noise, rails]);
    const batches = await payByBatches(payouts, desk, around.references, name);
    await waitForCallbacks(orders, payouts, endpoint, '1', options.graceMs);
    await askForOutcomes(orders);
    await announceUncertain(messages, phones.byMessage);
    const reversed = await reverseSome(orders, desk);
    await waitForCallbacks(reversed, [], endpoint, '2', options.graceMs);
    await askForOutcomes(reversed);
    await askForPayouts(payouts, desk, options.graceMs);
    const payoutsBack = await takePayoutsBack(payouts, desk);
    await waitForCallbacks([], payoutsBack, endpoint, '2', options.graceMs);
    await askForPayouts(payoutsBack, desk, 0);
    const accounts = [...phones.byTail.values()].map(({ account }) => account);
    const chains = await proveChains(desk.superAdmin, accounts, begunAt);
    // Messages held for their chain may complete orders at any moment, so ask again until a round completes none.
    const held = new Set(messages.filter(({ result }) => result?.state === 'held').map(({ order }) => order));
    for (let isOver = false; !isOver;) {
      const unpaid = orders.filter((order) => held.has(order) && order.queried?.status !== 1);
      await askForOutcomes(unpaid);
      await announceUncertain(messages, phones.byMessage);
      const paid = unpaid.filter(({ queried }) => queried?.status === 1);
      await waitForCallbacks(paid, [], endpoint, '1', options.graceMs);
      const late = await reverseSome(paid, desk);
      await waitForCallbacks(late, [], endpoint, '2', options.graceMs);
      await askForOutcomes(late);
      isOver = paid.length === 0;
    }
    return makeStatement(
      orders,
      messages,
      endpoint.notifications,
      payouts,
      desk.approved(),
      batches,
      await rails,
      chains,
      phones.resent(),
    );
  } finally {
    options.onPhones?.(undefined);
    clearInterval(progress);
    for (const phone of phones.all) phone.stop();
    await endpoint.stop();
  }
}

/** One-time passwords, offers and the like, between the real messages. */
async function makeNoise(
  phones: readonly Phone[],
  messages: SentMessage[],
  newMessageId: () => string,
  options: {
    readonly seed: number;
    readonly orders: number;
    readonly mischief: number;
    readonly lastMs: number;
  },
): Promise<void> {
  const random = createPrng(options.seed, -2);
  const count = Math.round(options.orders * 0.3 * options.mischief);
  const told = Array.from({ length: count }, async () => {
    const [phone, at] = [random.pick(phones), random.int(0, options.lastMs)];
    const sms = writeNoise(() => random.next());
    await sleep(at);
    const message: SentMessage = {
      messageId: newMessageId(),
      ...sms,
      amount: null,
      account: null,
      order: null,
      kind: 'noise',
      result: null,
    };
    messages.push(message);
    message.result = await phone
      .receive({ messageId: message.messageId, ...sms, receivedAt: new Date() })
      .catch(() => null);
  });
  await Promise.all(told);
}

function acknowledgedOf(endpoint: MerchantEndpoint, status?: string): Set<string> {
  const told = endpoint.notifications.filter(
    ({ acknowledged, fields }) => acknowledged && (status === undefined || fields['status'] === status),
  );
  return new Set(told.map(({ mchOrderNo }) => mchOrderNo));
}

/** Waits until every merchant that answers at all has acknowledged its orders' last status, or the grace time is over. */
async function waitForCallbacks(
  orders: readonly OrderLife[],
  payouts: readonly PayoutLife[],
  endpoint: MerchantEndpoint,
  status: string,
  graceMs: number,
): Promise<void> {
  for (const until = Date.now() + graceMs; Date.now() < until; await sleep(500)) {
    const told = endpoint.notifications.filter(({ fields }) => fields['status'] === status);
    const acknowledged = acknowledgedOf(endpoint, status);
    const notified = new Set(told.map(({ mchOrderNo }) => mchOrderNo));
    const open = orders.some((order) => {
      if (order.error !== null || !mustBeCredited(order)) return false;
      // An unacknowledged callback blocks the next one of the same order.
      if (neverAcknowledges(order.plan)) return status === '1' && !notified.has(order.mchOrderNo);
      return !acknowledged.has(order.mchOrderNo);
    });
    const ended = orders.length > 0 ? acknowledgedOf(endpoint) : acknowledged;
    const openPayout = payouts.some(
      (payout) =>
        payout.error === null &&
        payout.orderCode !== null &&
        !staysOpen(payout) &&
        !ended.has(payout.mchOrderNo),
    );
    if (!open && !openPayout) return;
  }
}

/** The suppliers of the demo world, each with its own bank accounts that these phones watch. */
export async function openSuppliers(
  suppliers: readonly ConsoleClient[],
  phones: Phones,
): Promise<PayingSupplier[]> {
  return Promise.all(
    suppliers.map(async (console): Promise<PayingSupplier> => {
      const { data } = await console.get('/v1.0/resource/getList', { pageSize: '500' });
      const rows = data['list'] as readonly { readonly accountNumber: string }[];
      const tails = new Set(rows.map(({ accountNumber }) => accountNumber.slice(-4)));
      return { console, accounts: [...tails].flatMap((tail) => phones.byTail.get(tail) ?? []) };
    }),
  );
}

/** Twice the amount of a merchant's payouts covers the fees too. */
async function fundPayouts(desk: Desk, payouts: readonly PayoutLife[], name: string): Promise<void> {
  for (const [mchId, ofMerchant] of Map.groupBy(payouts, (payout) => payout.mchId)) {
    const amount = 2 * ofMerchant.reduce((total, { plan }) => total + plan.amount, 0);
    await desk.topUp({ ownerKind: 'merchant', ownerId: mchId }, amount, `${name}-${mchId}`);
  }
}

/** Tops up every supplier's deposit, so that it covers the payments whichever supplier's accounts are used. */
async function fundDeposits(
  desk: Desk,
  plans: readonly { readonly amount: number }[],
  name: string,
): Promise<void> {
  const { data } = await desk.admin.get('/v1.0/supplier/getList', { pageSize: '500' });
  const amount = plans.reduce((total, plan) => total + plan.amount, 0);
  for (const { id } of data['list'] as readonly { readonly id: string }[])
    await desk.topUp({ ownerKind: 'supplier', ownerId: id }, amount, `${name}-${id}`);
}

function progressLine(orders: readonly OrderLife[], endpoint: MerchantEndpoint): string {
  const count = (test: (order: OrderLife) => boolean) => orders.filter(test).length;
  return `  ${count(({ created }) => created !== null)} created, ${count(({ paid }) => paid !== null)} paid, ${acknowledgedOf(endpoint).size} acknowledged`;
}

import { setTimeout as sleep } from 'node:timers/promises';
import { createReferences, openAccount, type BankAccount } from './bank/account-book.ts';
import { writeNoise } from './bank/write-noise.ts';
import type { Demo } from './demo-file.ts';
import { liveOrder, type Surroundings } from './live-order.ts';
import { createMerchantClient } from './merchant/merchant-client.ts';
import { startMerchantEndpoint, type MerchantEndpoint } from './merchant/merchant-endpoint.ts';
import { createMonitorClient } from './monitor/monitor-client.ts';
import { startPhone, type Phone } from './monitor/phone.ts';
import { mustBeCredited, type OrderLife, type SentMessage } from './order-life.ts';
import type { CallerStatistics } from './patient-caller.ts';
import { createPayerClient } from './payer/payer-client.ts';
import { neverAcknowledges, planOrders, reactionOf } from './plan.ts';
import { createPrng, type Prng } from './prng.ts';
import { makeStatement, type Statement } from './statement.ts';

export interface RunOptions {
  readonly demo: Demo;
  /** Nodes to call; demo.json's address where none is given. */
  readonly urls: readonly string[];
  readonly orders: number;
  readonly seed: number;
  readonly rate: number;
  readonly mischief: number;
  /** How long the run waits for callbacks after the last payment was told. */
  readonly graceMs: number;
  readonly onProgress: (line: string) => void;
}

const PROGRESS_MS = 5_000;
const QUERIES_AT_ONCE = 8;

/** One run: everything is made, paid, told and waited for, and then judged. */
export async function run(
  options: RunOptions,
): Promise<{ statement: Statement; statistics: CallerStatistics }> {
  const { demo, urls, seed } = options;
  const statistics: CallerStatistics = { calls: 0, retries: 0 };
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
  // The name of the run keeps order numbers and message ids apart from those of other runs with this seed.
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
      refusal: null,
      paid: null,
      error: null,
      queried: null,
    };
  });
  const messages: SentMessage[] = [];
  const phones = await openPhones(demo, urls, statistics, createPrng(seed, -1), options.onProgress);
  const progress = setInterval(() => options.onProgress(progressLine(orders, endpoint)), PROGRESS_MS);
  try {
    let messageCount = 0;
    const newMessageId = () => `${name}-${(messageCount += 1)}`;
    const around: Surroundings = {
      notifyUrl: endpoint.notifyUrl,
      payers: createPayerClient({ url: urls, statistics }),
      accountOf: phones.accountOf,
      references: createReferences(new Date()),
      messages,
      newMessageId,
    };
    const startedAt = Date.now();
    const lives = orders.map(async (order) => {
      await sleep(order.plan.createAtMs - (Date.now() - startedAt));
      await liveOrder(order, around).catch((error: unknown) => {
        order.error = describe(error);
      });
    });
    const noise = makeNoise(phones.all, messages, newMessageId, {
      ...options,
      lastMs: plans.at(-1)?.createAtMs ?? 0,
    });
    await Promise.all([...lives, noise]);
    await waitForCallbacks(orders, endpoint, options.graceMs);
    await askForOutcomes(orders);
    await retellUnsettled(messages, phones.byMessage);
    return { statement: makeStatement(orders, messages, endpoint.notifications), statistics };
  } finally {
    clearInterval(progress);
    for (const phone of phones.all) phone.stop();
    await endpoint.stop();
  }
}

async function openPhones(
  demo: Demo,
  urls: readonly string[],
  statistics: CallerStatistics,
  random: Prng,
  onProblem: (line: string) => void,
) {
  const byTail = new Map<string, { account: BankAccount; phone: Phone }>();
  const tailOfVpa = new Map<string, string>();
  const shuffle = <T>(items: readonly T[]): T[] =>
    items
      .map((item) => [random.next(), item] as const)
      .sort(([a], [b]) => a - b)
      .map(([, item]) => item);
  const all: Phone[] = [];
  const byMessage = new Map<string, Phone>();
  for (const monitor of demo.monitors) {
    const client = createMonitorClient({ url: urls, ...monitor, statistics });
    const phone = await startPhone(client, shuffle, (error) => onProblem(`heartbeat: ${describe(error)}`));
    const remembering: Phone = {
      receive(message) {
        byMessage.set(message.messageId, phone);
        return phone.receive(message);
      },
      stop: phone.stop,
    };
    all.push(remembering);
    for (const account of monitor.accounts) {
      tailOfVpa.set(account.vpa, account.accountTail);
      if (!byTail.has(account.accountTail)) {
        byTail.set(account.accountTail, { account: openAccount(account, random), phone: remembering });
      }
    }
  }
  return {
    all,
    byMessage,
    accountOf(order: OrderLife) {
      const { vpa, accountNumber } = order.created!.payParams;
      const found = byTail.get(accountNumber?.slice(-4) ?? tailOfVpa.get(vpa ?? '') ?? '');
      if (!found)
        throw new Error(`the page shows an account the demo does not have: ${accountNumber ?? vpa}`);
      return found;
    },
  };
}

/** One-time passwords, offers and the like, among the real ones. */
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

function acknowledgedOf(endpoint: MerchantEndpoint): Set<string> {
  return new Set(
    endpoint.notifications.filter((each) => each.acknowledged).map(({ mchOrderNo }) => mchOrderNo),
  );
}

/** Until every merchant that answers at all has acknowledged, or the grace is over. */
async function waitForCallbacks(
  orders: readonly OrderLife[],
  endpoint: MerchantEndpoint,
  graceMs: number,
): Promise<void> {
  for (const until = Date.now() + graceMs; Date.now() < until; await sleep(500)) {
    const acknowledged = acknowledgedOf(endpoint);
    const notified = new Set(endpoint.notifications.map(({ mchOrderNo }) => mchOrderNo));
    const open = orders.some((order) => {
      if (order.error !== null || !mustBeCredited(order)) return false;
      return !(neverAcknowledges(order.plan) ? notified : acknowledged).has(order.mchOrderNo);
    });
    if (!open) return;
  }
}

async function askForOutcomes(orders: readonly OrderLife[]): Promise<void> {
  const open = orders.filter(({ created }) => created !== null);
  const ask = async (): Promise<void> => {
    for (let order = open.pop(); order; order = open.pop()) {
      try {
        const answer = await order.client.query(order.mchOrderNo, order.plan.format);
        order.queried = 'refused' in answer ? null : answer;
      } catch (error) {
        order.error ??= describe(error);
      }
    }
  };
  await Promise.all(Array.from({ length: QUERIES_AT_ONCE }, ask));
}

/** A credit told before the payer's UTR completes its order later: told again, it answers as it stands now. */
async function retellUnsettled(
  messages: readonly SentMessage[],
  phones: ReadonlyMap<string, Phone>,
): Promise<void> {
  const settled = new Set(
    messages.flatMap(({ result }) => (result?.state === 'matched' ? (result.orderCode ?? []) : [])),
  );
  const open = messages.filter(
    ({ kind, order, result }) =>
      kind === 'first' && result && order?.queried?.status === 1 && !settled.has(order.queried.orderCode),
  );
  await Promise.all(
    open.map(async (message) => {
      const again = {
        messageId: message.messageId,
        sender: message.sender,
        text: message.text,
        receivedAt: new Date(),
      };
      message.result = (await phones.get(message.messageId)?.receive(again)) ?? message.result;
    }),
  );
}

function progressLine(orders: readonly OrderLife[], endpoint: MerchantEndpoint): string {
  const count = (test: (order: OrderLife) => boolean) => orders.filter(test).length;
  return `  ${count(({ created }) => created !== null)} created, ${count(({ paid }) => paid !== null)} paid, ${acknowledgedOf(endpoint).size} acknowledged`;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

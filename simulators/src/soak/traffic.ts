import { createReferences } from '../bank/account-book.ts';
import { createConsoleClient } from '../console/console-client.ts';
import type { Demo } from '../demo-file.ts';
import { openDesk } from '../desk/desk.ts';
import { createMerchantClient, type MerchantClient } from '../merchant/merchant-client.ts';
import { openPhones } from '../monitor/phones.ts';
import type { OrderLife, SentMessage } from '../order-life.ts';
import type { CallerStatistics } from '../patient-caller.ts';
import { livePayout, payoutRequest } from '../payout/live-payout.ts';
import type { PayingSupplier, PayoutLife } from '../payout/payout-life.ts';
import { planPayouts } from '../payout/payout-plan.ts';
import { planOrders } from '../plan.ts';
import { createPrng, type Prng } from '../prng.ts';

/** An order of either direction, as its merchant knows it. */
export interface Asked {
  readonly mchId: string;
  readonly mchOrderNo: string;
  readonly direction: 'in' | 'out';
  /** Tries once; throws without an answer. */
  once(): Promise<string>;
  /** Sends the same request until it is answered. */
  again(): Promise<string>;
  /** The answer to the first try; null without one. */
  acknowledged: string | null;
  /** When the money moved; from then on a callback is due. Null before. */
  endedAt: number | null;
}

export interface Traffic {
  /** Makes new orders without sending them. */
  make(cycle: number, orders: number, payouts: number): Asked[];
  /** The payer pays; resolves when the bank's message has been accepted. */
  pay(asked: Asked): Promise<void>;
  stop(): void;
}

const RUPEES = 100;
const NO_PATIENCE = -1;

interface Options {
  readonly demo: Demo;
  readonly urls: readonly string[];
  readonly seed: number;
  readonly notifyUrl: (mchId: string, mchOrderNo: string) => string;
  readonly onProblem: (error: unknown) => void;
}

export async function openTraffic({ demo, urls, seed, notifyUrl, onProblem }: Options): Promise<Traffic> {
  const statistics: CallerStatistics = { calls: 0, retries: 0 };
  const clientsOf = (patienceMs?: number) =>
    demo.merchants.map((merchant) =>
      createMerchantClient({
        url: urls,
        ...merchant,
        statistics,
        ...(patienceMs === undefined ? {} : { patienceMs }),
      }),
    );
  const [patient, hasty] = [clientsOf(), clientsOf(NO_PATIENCE)];
  const phones = await openPhones(demo, urls, statistics, createPrng(seed, -1), onProblem);
  const desk = openDesk(demo.users, urls, statistics);
  await desk.allowHandingOn();
  const name = `${seed}-${Date.now().toString(36)}`;
  for (const { mchId } of demo.merchants)
    await desk.topUp({ ownerKind: 'merchant', ownerId: mchId }, 10_000_000 * RUPEES, `${name}-m${mchId}`);
  const suppliers: PayingSupplier[] = [];
  for (const user of demo.users.filter(({ role }) => role === 'supplier')) {
    const console = createConsoleClient({ url: urls, user, statistics });
    const info = await console.post('/v1.0/user/getInfo', {});
    const ownerId = String(info.data['supplierId']);
    await desk.topUp({ ownerKind: 'supplier', ownerId }, 10_000_000 * RUPEES, `${name}-s${ownerId}`);
    const { data } = await console.get('/v1.0/resource/getList', { pageSize: '500' });
    const rows = data['list'] as readonly { readonly accountNumber: string }[];
    const tails = new Set(rows.map(({ accountNumber }) => accountNumber.slice(-4)));
    suppliers.push({ console, accounts: [...tails].flatMap((tail) => phones.byTail.get(tail) ?? []) });
  }
  const references = createReferences(new Date());
  const messages: SentMessage[] = [];
  let messageCount = 0;
  const newMessageId = () => `${name}-${(messageCount += 1)}`;
  const lives = new Map<Asked, OrderLife | PayoutLife>();

  async function payIn(order: OrderLife): Promise<void> {
    const { account, phone } = phones.accountOf(order);
    const at = new Date();
    const sms = account.credit({
      reference: references.rrn(),
      payerName: order.plan.payerName,
      variant: order.plan.bank.variant,
      at,
      amount: order.created!.payParams.payableAmount,
    });
    const told = await phone.receive({ messageId: newMessageId(), ...sms, receivedAt: at });
    if (told.state === 'ambiguous') throw new LeftToPeople(sms.text);
    // Held: an earlier message of the account was not reported, because its report or its sender was killed.
    if (told.state !== 'matched' && told.state !== 'held')
      throw new Error(`a payment was ${told.state}: ${sms.text}`);
  }

  function orderAsked(plan: OrderLife['plan'], mchOrderNo: string): Asked {
    const mchId = demo.merchants[plan.merchant]!.mchId;
    const life: OrderLife = {
      plan,
      mchId,
      client: patient[plan.merchant]!,
      mchOrderNo,
      created: null,
      account: null,
      refusal: null,
      paid: null,
      said: null,
      error: null,
      queried: null,
    };
    const create = async (client: MerchantClient) => {
      const { productId, amount } = plan;
      const request = { productId, mchOrderNo, amount, notifyUrl: notifyUrl(mchId, mchOrderNo) };
      const answer = await client.create(request, plan.format);
      if ('refused' in answer) throw new Refused(answer.refused);
      life.created = answer;
      return answer.orderCode;
    };
    return remember(life, mchId, mchOrderNo, 'in', create, plan.merchant);
  }

  function payoutAsked(plan: PayoutLife['plan'], mchOrderNo: string): Asked {
    const mchId = demo.merchants[plan.merchant]!.mchId;
    const life: PayoutLife = {
      plan,
      mchId,
      client: patient[plan.merchant]!,
      mchOrderNo,
      orderCode: null,
      refusal: null,
      paid: null,
      claimsWon: null,
      error: null,
      queried: null,
      row: null,
    };
    const create = async (client: MerchantClient) => {
      const answer = await client.create(payoutRequest(life, notifyUrl), plan.format);
      if ('refused' in answer) throw new Refused(answer.refused);
      return answer.orderCode;
    };
    return remember(life, mchId, mchOrderNo, 'out', create, plan.merchant);
  }

  function remember(
    life: OrderLife | PayoutLife,
    mchId: string,
    mchOrderNo: string,
    direction: 'in' | 'out',
    create: (client: MerchantClient) => Promise<string>,
    merchant: number,
  ): Asked {
    const asked: Asked = {
      mchId,
      mchOrderNo,
      direction,
      once: () => create(hasty[merchant]!),
      again: () => create(patient[merchant]!),
      acknowledged: null,
      endedAt: null,
    };
    lives.set(asked, life);
    return asked;
  }

  return {
    make(cycle, orders, payouts) {
      const random: Prng = createPrng(seed, cycle, 77);
      const some = { seed: random.int(0, 2 ** 30), mischief: 0, merchants: demo.merchants.length };
      const inPlans = planOrders({ ...some, orders, rate: 1_000, products: [1010] });
      const outPlans = planPayouts({ ...some, mischief: 0.4, payouts, durationMs: 0 });
      return [
        ...inPlans.map((plan) => orderAsked(plan, `K${name}-${cycle}-${plan.index}`)),
        ...outPlans.map((plan) =>
          payoutAsked({ ...plan, delayMs: plan.delayMs / 5 }, `KP${name}-${cycle}-${plan.index}`),
        ),
      ];
    },
    async pay(asked) {
      const life = lives.get(asked)!;
      const around = { notifyUrl, suppliers, desk: desk.service, references, messages, newMessageId };
      await ('created' in life ? payIn(life) : livePayout(life, around));
      asked.endedAt = Date.now();
      lives.delete(asked);
    },
    stop() {
      for (const phone of phones.all) phone.stop();
    },
  };
}

/** A payment that fits several orders. It completes none until a person decides. */
export class LeftToPeople extends Error {}

/** A refusal where none is expected. It ends the soak. */
export class Refused extends Error {
  constructor({ code, msg }: { readonly code: number; readonly msg: string }) {
    super(`refused: ${code} ${msg}`);
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { DEMO_AMOUNTS, type DemoAmount, type DemoPayment } from '@sangam/contract/demo-payments.ts';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { createReferences } from './bank/account-book.ts';
import { act } from './console/act.ts';
import type { ConsoleClient } from './console/console-client.ts';
import type { Demo } from './demo-file.ts';
import type { PayingSupplier } from './payout/payout-life.ts';

/** A waiting order, as the desk's lists show it. */
interface Waiting {
  readonly orderCode: string;
  readonly amount: number;
  readonly payableAmount?: number;
  readonly resourceId?: string;
  readonly userName?: string | null;
}

export interface MagicOptions {
  readonly demo: Pick<Demo, 'monitors'>;
  readonly desk: ConsoleClient;
  /** Older orders are ignored: they have already been handled. */
  readonly since: Date;
  readonly pay: (payment: DemoPayment) => void;
  /** Empty between two rounds. */
  readonly suppliers: () => readonly PayingSupplier[];
  readonly onProblem: (error: unknown) => void;
  /** Milliseconds until something late happens; half a minute by default. */
  readonly lateMs?: number;
}

const LATE_MS = 30_000;
const amounts = DEMO_AMOUNTS.map(({ amount }) => amount);
const RANGE = { amountFrom: rupees(Math.min(...amounts)), amountTo: rupees(Math.max(...amounts)) };

/** Handles orders with the demo's magic amounts as each amount asks. Each call of `look` takes the new ones. */
export function createMagic(options: MagicOptions): { look(): Promise<void> } {
  const { demo, desk, onProblem } = options;
  const taken = new Set<string>();
  const references = createReferences(new Date());
  const vpas = new Map(
    demo.monitors.flatMap(({ accounts }) =>
      accounts.map(({ resourceId, vpa }) => [resourceId, vpa] as const),
    ),
  );
  const startTime = formatTime(options.since);

  /** Orders that no earlier look has taken, each with what its amount asks for. */
  async function waiting(path: string, status: number): Promise<[Waiting, DemoAmount][]> {
    const filters = { ...RANGE, startTime, orderStatusId: String(status), pageSize: '100' };
    const { data } = await desk.get(path, filters);
    return ((data['list'] ?? []) as readonly Waiting[]).flatMap((order) => {
      const asked = DEMO_AMOUNTS.find(({ amount }) => amount === order.amount);
      return asked && !taken.has(order.orderCode) ? [[order, asked] satisfies [Waiting, DemoAmount]] : [];
    });
  }

  async function payOut({ orderCode, amount, userName }: Waiting, delayMs: number): Promise<void> {
    await sleep(delayMs);
    for (const { console, accounts } of options.suppliers()) {
      const [paying] = accounts;
      if (!paying) continue;
      const claimed = await console.post('/v1.0/payoutOrderClaim/claimOrder', { orderId: orderCode });
      if (claimed.code !== 200) continue;
      const [at, utr] = [new Date(), references.rrn()];
      const sms = paying.account.debit({ amount, reference: utr, payeeName: userName ?? '', variant: 0, at });
      await act(console, {
        of: 'payoutOrder',
        orderCode,
        path: '/v1.0/payoutOrder/confirmPaid',
        input: { orderCode, utr },
        done: ({ orderStatusId }) => orderStatusId === PAYOUT_STATUS.completed,
      });
      await paying.phone.receive({ messageId: `magic-${orderCode}`, ...sms, receivedAt: at });
      return;
    }
    // No supplier could claim it, so the next look takes it again.
    taken.delete(orderCode);
  }

  const reject = ({ orderCode }: Waiting) =>
    act(desk, {
      of: 'payoutOrder',
      orderCode,
      path: '/v1.0/order/reject',
      input: { orderCode, rejectReason: 'Payee unknown' },
      done: ({ orderStatusId }) => orderStatusId === PAYOUT_STATUS.rejected,
    });

  return {
    async look() {
      for (const [order, { payer }] of await waiting('/v1.0/order/getList', COLLECTION_STATUS.allocated)) {
        taken.add(order.orderCode);
        if (payer !== 'never' && order.payableAmount !== undefined)
          options.pay({ how: payer, amount: order.payableAmount, vpa: vpas.get(order.resourceId ?? '') });
      }
      if (options.suppliers().length === 0) return;
      for (const [order, { payout }] of await waiting('/v1.0/payoutOrder/getList', PAYOUT_STATUS.waiting)) {
        taken.add(order.orderCode);
        if (payout === 'never') continue;
        const lateMs = payout === 'paidLate' ? (options.lateMs ?? LATE_MS) : 0;
        void (payout === 'rejected' ? reject(order) : payOut(order, lateMs)).catch(onProblem);
      }
    },
  };
}

function rupees(paise: number): string {
  return (paise / 100).toFixed(2);
}

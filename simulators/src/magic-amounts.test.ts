import { expect, test, vi } from 'vitest';
import type { DemoPayment } from '@sangam/contract/demo-payments.ts';
import { createMagic } from './magic-amounts.ts';
import type { ConsoleClient } from './console/console-client.ts';
import type { PayingSupplier } from './payout/payout-life.ts';

const account = { resourceId: '7', productId: 1010, bank: 'HDFC', accountTail: '1234', vpa: 'shop@bank' };
const demo = { monitors: [{ monitorId: '1', secret: '', accounts: [{ ...account, senderHeader: '' }] }] };

function world(orders: readonly object[], payouts: readonly object[]) {
  const [paid, posts, reports]: [DemoPayment[], string[], string[]] = [[], [], []];
  const person = (name: string): ConsoleClient => ({
    get: (path) => {
      const list = path === '/v1.0/order/getList' ? orders : payouts;
      return Promise.resolve({ http: 200, code: 200, msg: '', data: { list } });
    },
    post(path, input) {
      const { orderCode, orderId } = input as { orderCode?: string; orderId?: string };
      posts.push(`${name} ${path} ${orderCode ?? orderId}`);
      return Promise.resolve({ http: 200, code: 200, msg: '', data: {} });
    },
  });
  const supplier = {
    console: person('supplier'),
    accounts: [
      {
        account: { debit: ({ amount }: { amount: number }) => ({ sender: 'S', text: `debit ${amount}` }) },
        phone: {
          receive({ text }: { text: string }) {
            reports.push(text);
            return Promise.resolve({});
          },
        },
      },
    ],
  } as unknown as PayingSupplier;
  const magic = createMagic({
    demo,
    desk: person('desk'),
    since: new Date(),
    pay: (payment) => paid.push(payment),
    suppliers: () => [supplier],
    onProblem(error) {
      throw error;
    },
    lateMs: 0,
  });
  return { magic, paid, posts, reports };
}

test('each order is paid once, as its magic amount asks, with the account and sum that its payer was shown', async () => {
  const order = (orderCode: string, amount: number) => ({
    orderCode,
    amount,
    payableAmount: amount + 3,
    resourceId: '7',
  });
  const { magic, paid } = world(
    [77701, 77702, 77703, 77704, 77705, 77706].map((amount) => order(`O${amount}`, amount)),
    [],
  );
  await magic.look();
  await magic.look();
  expect(paid).toEqual([
    { how: 'exact', amount: 77704, vpa: 'shop@bank' },
    { how: 'late', amount: 77705, vpa: 'shop@bank' },
    { how: 'half', amount: 77706, vpa: 'shop@bank' },
    { how: 'twice', amount: 77708, vpa: 'shop@bank' },
  ]);
});

test('payouts are paid by a supplier with a bank message, rejected by the desk, or left waiting', async () => {
  const payout = (orderCode: string, amount: number) => ({ orderCode, amount, userName: 'Asha' });
  const { magic, posts, reports } = world(
    [],
    [payout('PAID', 77701), payout('LATE', 77702), payout('REJECTED', 77703), payout('NEVER', 77704)],
  );
  await magic.look();
  await vi.waitFor(() => expect(reports).toHaveLength(2));
  await magic.look();
  expect(reports).toEqual(['debit 77701', 'debit 77702']);
  expect(posts.toSorted()).toEqual([
    'desk /v1.0/order/reject REJECTED',
    'supplier /v1.0/payoutOrder/confirmPaid LATE',
    'supplier /v1.0/payoutOrder/confirmPaid PAID',
    'supplier /v1.0/payoutOrderClaim/claimOrder LATE',
    'supplier /v1.0/payoutOrderClaim/claimOrder PAID',
  ]);
});

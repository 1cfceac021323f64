import { getLostMoney, joinLost } from '@sangam/contract/endpoints/lost.ts';
import { payerPaid } from '@sangam/contract/endpoints/outside.ts';
import { SecondPasswordDialog, Shell } from './pages/shell.ts';
import { expect, test } from './test.ts';
import { demoUser, serverUrl } from './world/demo.ts';
import { createOrderAs } from './world/merchant.ts';
import { bankReports, newReference } from './world/monitor.ts';

/** The payer paid five rupees too little and gave the right UTR, so only an operator may join the two. */
async function shortPayment() {
  const order = await createOrderAs();
  const utr = newReference();
  const token = new URL(order.payUrl, serverUrl).pathname.split('/').at(-1)!;
  const said = await fetch(serverUrl + payerPaid.path.replace(':token', token), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ utr }),
  });
  expect(said.status).toBe(200);
  await bankReports(order.payParams, {
    reference: utr,
    amount: order.payParams.payableAmount - 5_00,
    state: 'ambiguous',
  });
  return { ...order, utr };
}

test('a credit and an order are joined from their pair, and by keys', async ({ as, complaints }) => {
  complaints.expectOf(joinLost.path);
  const [first, second] = [await shortPayment(), await shortPayment()];
  const page = await as('service');
  const shell = new Shell(page);
  await page.goto('/orderAnalysis/lost-order-list/customerService');
  await expect(shell.heading).toHaveText('Unmatched money');
  const money = page.getByRole('region', { name: 'Unmatched credits' });
  const orders = page.getByRole('region', { name: 'Unpaid claims' });
  const dialog = page.getByRole('dialog', { name: 'Match' });
  const moneyRow = money.getByRole('button').filter({ hasText: first.utr });
  await expect(moneyRow).toContainText('Another amount · medium confidence');
  await expect(orders.getByRole('button').filter({ hasText: first.orderCode })).toContainText(first.utr);

  const pair = page
    .getByRole('region', { name: 'Suggested matches' })
    .getByRole('listitem')
    .filter({ hasText: first.orderCode });
  await expect(pair).toContainText('Another amount · medium confidence');
  await pair.getByRole('button').click();
  await expect(dialog).toContainText('The sum is not the one the payer was asked for');
  await dialog.getByRole('button', { name: 'Match' }).click();
  await new SecondPasswordDialog(page).answer(demoUser('service').payPassword);
  await expect(shell.notice(`Matched: ${first.orderCode} is paid`)).toBeVisible();
  await expect(pair).toHaveCount(0);
  await expect(moneyRow).toHaveCount(0);
  // The dialog takes all keys until it is closed.
  await expect(dialog).toBeHidden();

  // The other pair by keys alone: choose in one queue, move to the other queue, press J.
  await money.getByRole('button').filter({ hasText: second.utr }).press('Enter');
  await money.getByRole('button').filter({ hasText: second.utr }).press('ArrowRight');
  await expect(orders.locator(':focus')).toHaveCount(1);
  await orders.getByRole('button').filter({ hasText: second.orderCode }).press('Enter');
  await page.keyboard.press('j');
  await dialog.getByRole('button', { name: 'Match' }).press('Enter');
  await expect(shell.notice(`Matched: ${second.orderCode} is paid`)).toBeVisible();

  await page.goto(`/order/list/customerService?open=${first.orderCode}`);
  await expect(page.getByText('Matched by an operator · certain')).toBeVisible();
});

test('a role that may only read sees both queues and cannot join', async ({ as }) => {
  const order = await shortPayment();
  const page = await as('maintenance');
  const loaded = page.waitForResponse((response) => response.url().includes(getLostMoney.path));
  await page.goto('/orderAnalysis/lost-order-list/customerService');
  await loaded;
  await expect(page.getByRole('button').filter({ hasText: order.utr }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: /^Match/ })).toHaveCount(0);
});

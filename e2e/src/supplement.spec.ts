import { correctOffset } from '@sangam/contract/endpoints/lost.ts';
import { supplement } from '@sangam/contract/endpoints/order.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import { login2 } from '@sangam/contract/endpoints/user.ts';
import { approve, openRequest } from './pages/approvals.ts';
import { OrderDrawer, OrderList, SupplementDialog } from './pages/order-list.ts';
import { SecondPasswordDialog, Shell } from './pages/shell.ts';
import { expect, test } from './test.ts';
import { demoUser } from './world/demo.ts';
import { createOrderAs } from './world/merchant.ts';
import { bankReports, newReference } from './world/monitor.ts';

test('an order is supplemented with a UTR, once, behind the second password', async ({
  as,
  complaints,
  merchantEndpoint,
}) => {
  complaints.expectOf(supplement.path);
  complaints.expectOf(login2.path);
  const order = await createOrderAs({ notifyUrl: merchantEndpoint.url });
  const other = await createOrderAs();
  const utr = newReference();
  const page = await as('admin');
  let sent = 0;
  page.on('request', (request) => {
    if (request.url().endsWith(supplement.path)) sent += 1;
  });
  const list = new OrderList(page);
  const dialog = new SupplementDialog(page);
  const second = new SecondPasswordDialog(page);
  await list.open();

  await list.act(order.orderCode, 'Supplement');
  await expect(dialog.dialog).toContainText(order.orderCode);
  await dialog.confirm(utr);
  await expect(second.dialog).toBeVisible();
  await second.answer('not-the-second-password');
  await expect(second.refusal).toHaveText('Second-level password wrong or expired');
  expect(sent).toBe(1);
  await second.answer(demoUser('admin').payPassword);
  await expect(second.dialog).toBeHidden();
  await expect(dialog.dialog).toBeHidden();
  expect(sent).toBe(2);
  await expect(new Shell(page).notice(`Supplement: ${order.orderCode} done`)).toBeVisible();
  await expect(list.row(order.orderCode)).toContainText('Supplemented');
  await expect(list.row(order.orderCode)).toContainText('Callback succeeded');

  await list.act(other.orderCode, 'Supplement');
  await dialog.confirm(utr);
  await expect(dialog.refusal).toContainText('This UTR has already been used');
  await expect(dialog.refusal.getByRole('link', { name: order.orderCode })).toBeVisible();
  await expect(second.dialog).toBeHidden();
  await dialog.dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog.dialog).toBeHidden();
  await expect(list.row(other.orderCode)).toContainText('Allocated');

  await page.goto(`/order/list?open=${order.orderCode}`);
  const timeline = new OrderDrawer(page, order.orderCode).section('Timeline');
  await expect(timeline.getByRole('listitem').filter({ hasText: 'Supplemented' })).toHaveCount(1);
});

test('nothing happens when the second password is not given', async ({ as, complaints }) => {
  complaints.expectOf(supplement.path);
  const { orderCode } = await createOrderAs();
  const page = await as('service');
  const list = new OrderList(page);
  const dialog = new SupplementDialog(page);
  const second = new SecondPasswordDialog(page);
  await list.open('/order/list/customerService');
  await list.act(orderCode, 'Supplement');
  await dialog.confirm(newReference());
  await second.dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(second.dialog).toBeHidden();
  await expect(dialog.dialog).toBeVisible();
  await dialog.dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(list.row(orderCode)).toContainText('Allocated');
});

test('two people correct an offset whose money came to the order’s account after all', async ({
  as,
  complaints,
}) => {
  for (const { path } of [supplement, correctOffset, decide, login2]) complaints.expectOf(path);
  const { orderCode, payParams } = await createOrderAs();
  const utr = newReference();
  const page = await as('admin');
  const list = new OrderList(page);
  await list.open();
  await list.act(orderCode, 'Supplement');
  const booking = new SupplementDialog(page);
  await booking.dialog.getByRole('switch').click();
  await booking.confirm(utr);
  await new SecondPasswordDialog(page).answer(demoUser('admin').payPassword);
  await expect(booking.dialog).toBeHidden();
  await bankReports(payParams, { reference: utr, state: 'ambiguous' });

  await page.goto('/bankStatement/list');
  await page.getByRole('row').filter({ hasText: utr }).first().click();
  await page.getByRole('button', { name: "Charge the order's account…" }).click();
  const asking = page.getByRole('dialog', { name: "Charge the order's account…" });
  await asking.getByLabel('Reason').fill('The bank shows it on this account');
  await asking.getByRole('button', { name: "Charge the order's account…" }).click();
  await new SecondPasswordDialog(page).answer(demoUser('admin').payPassword);
  await expect(page.getByText(/Submitted for approval/)).toBeVisible();

  const other = await as('superadmin');
  await openRequest(other, /Offset correction/, 'Offset correction');
  await approve(other, 'Offset correction', 'superadmin');
  await page.goto(`/order/list?open=${orderCode}`);
  const timeline = new OrderDrawer(page, orderCode).section('Timeline');
  await expect(timeline.getByRole('listitem').filter({ hasText: 'Offset corrected' })).toHaveCount(1);
});

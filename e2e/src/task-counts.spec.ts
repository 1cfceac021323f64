import { formatMinor } from '@sangam/contract/money.ts';
import { reverse, supplement } from '@sangam/contract/endpoints/order.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import { Hand } from './hand.ts';
import { OrderDrawer, OrderList, SupplementDialog } from './pages/order-list.ts';
import { SecondPasswordDialog } from './pages/shell.ts';
import { expect, test } from './test.ts';
import { demoUser } from './world/demo.ts';
import { createOrderAs } from './world/merchant.ts';
import { bankReports, newReference } from './world/monitor.ts';

test('an order is found by its UTR and the reply for its customer copied in four actions', async ({ as }) => {
  const { payParams } = await createOrderAs();
  const reference = newReference();
  await bankReports(payParams, { reference });
  const page = await as('service', { permissions: ['clipboard-read', 'clipboard-write'] });
  await new OrderList(page).open('/order/list/customerService');
  const hand = new Hand(page);
  await hand.press('ControlOrMeta+k');
  await hand.type(page.getByRole('dialog').getByRole('combobox'), reference);
  await hand.click(page.getByRole('dialog').getByRole('option').first());
  await hand.click(page.getByRole('button', { name: 'Copy reply' }));
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('was received');
  hand.took('find an order by UTR, copy the reply', 4);
});

test('an order is supplemented with the UTR its payer named in four actions', async ({ as, complaints }) => {
  complaints.expectOf(supplement.path);
  const first = await createOrderAs();
  const order = await createOrderAs();
  const third = await createOrderAs();
  const utr = newReference();
  // The payer enters the UTR on the payment page.
  await fetch(`${order.payUrl.replace('/pay/', '/v1.0/pay/')}/paid`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ utr }),
  });
  const page = await as('admin');
  const list = new OrderList(page);
  const dialog = new SupplementDialog(page);
  await list.open();
  await list.act(first.orderCode, 'Supplement');
  await dialog.confirm(newReference());
  await new SecondPasswordDialog(page).answer(demoUser('admin').payPassword);
  await expect(dialog.dialog).toBeHidden();

  const hand = new Hand(page);
  await hand.click(list.row(order.orderCode).getByRole('button', { name: /^Actions of/ }));
  await hand.click(page.getByRole('menuitem', { name: 'Supplement' }));
  await hand.click(dialog.dialog.getByRole('button', { name: `Use ${utr}` }));
  await hand.click(dialog.dialog.getByRole('button', { name: 'Supplement' }));
  await expect(dialog.dialog).toBeHidden();
  await expect(list.row(order.orderCode)).toContainText('Supplemented');
  hand.took('supplement with a known UTR', 4);

  // The same UTR again: the refusal names the order that used it.
  await list.act(third.orderCode, 'Supplement');
  await dialog.confirm(utr);
  await expect(dialog.refusal).toContainText(order.orderCode);
});

test('a reversal is approved in three actions, with the money in sight', async ({ as, complaints }) => {
  for (const { path } of [reverse, decide, supplement]) complaints.expectOf(path);
  const { orderCode, payParams } = await createOrderAs();
  await bankReports(payParams, { reference: newReference() });
  const asker = await as('admin');
  await asker.goto(`/order/list?open=${orderCode}`);
  const drawer = new OrderDrawer(asker, orderCode);
  await drawer.actions.getByRole('button', { name: 'Reverse' }).click();
  const asking = asker.getByRole('dialog', { name: /Reverse/ }).last();
  await asking.getByLabel('Reason').fill('The bank took the payment back');
  await asking.getByRole('button', { name: 'Reverse' }).click();
  await new SecondPasswordDialog(asker).answer(demoUser('admin').payPassword);
  await expect(asking).toBeHidden();

  const page = await as('superadmin');
  await page.goto('/todo/mine');
  const hand = new Hand(page);
  const amount = formatMinor(payParams.payableAmount, 'INR');
  await hand.click(
    page
      .getByRole('row', { name: /Reversal/ })
      .filter({ hasText: amount })
      .first(),
  );
  const request = page.getByRole('dialog', { name: /Reversal/ }).last();
  await expect(request).toContainText(amount);
  await hand.click(request.getByRole('button', { name: 'Approve' }));
  const answer = page.getByRole('dialog', { name: /^Approve/ });
  await hand.click(answer.getByRole('button', { name: 'Approve' }));
  // Not asked for if the user has given it in the last quarter of an hour.
  await new SecondPasswordDialog(page).answer(demoUser('superadmin').payPassword);
  await expect(answer).toBeHidden();
  hand.took('approve a reversal', 3);
});

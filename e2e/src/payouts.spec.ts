import { getPayoutDetail } from '@sangam/contract/endpoints/payout.ts';
import { signFields } from '@sangam/contract/endpoints/interface-test.ts';
import { reverse } from '@sangam/contract/endpoints/order.ts';
import { OrderDrawer, OrderList } from './pages/order-list.ts';
import { SecondPasswordDialog } from './pages/shell.ts';
import { expect, test } from './test.ts';
import { demoUser } from './world/demo.ts';
import { holdByProcess } from './world/automatic-process.ts';
import { createOrderAs, createPayoutAs } from './world/merchant.ts';
import { bankReports } from './world/monitor.ts';
import { approveReversal } from './world/reversal.ts';
import { callAs } from './world/session.ts';

test('a paid order is reversed, with a reason, once a superAdmin has approved it', async ({
  as,
  complaints,
  merchantEndpoint,
}) => {
  complaints.expectOf(reverse.path);
  const { orderCode, payParams } = await createOrderAs({ notifyUrl: merchantEndpoint.url });
  await bankReports(payParams);
  const page = await as('admin');
  await new OrderList(page).open(`/order/list?o=${orderCode}&open=${orderCode}`);
  const drawer = new OrderDrawer(page, orderCode);
  await expect(page.getByRole('dialog', { name: `Order ${orderCode}`, exact: true })).toBeVisible();
  await drawer.actions.getByRole('button', { name: 'Reverse' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reverse', exact: true });
  await dialog.getByLabel('Reason').fill('Paid by mistake');
  await dialog.getByRole('button', { name: 'Reverse' }).click();
  await new SecondPasswordDialog(page).answer(demoUser('admin').payPassword);
  await expect(dialog).toBeHidden();
  await approveReversal(orderCode);
  await page.reload();
  await expect(drawer.section('Timeline')).toContainText('Paid by mistake');
  await expect(drawer.actions.getByRole('button', { name: 'Reverse' })).toBeHidden();
});

test('many payouts are unlocked at once, each with its own result', async ({ as }) => {
  const [held, free] = [await createPayoutAs(), await createPayoutAs()];
  await holdByProcess(held);
  const page = await as('admin');
  const list = new OrderList(page, 'Payout orders');
  await list.open('/payProxyOrder/list?s=0');
  for (const orderCode of [held, free]) await list.row(orderCode).getByRole('checkbox').check();
  await page.getByRole('group', { name: 'Picked rows' }).getByRole('button', { name: 'Unlock' }).click();
  const dialog = page.getByRole('dialog', { name: 'Unlock' });
  await expect(dialog).toContainText('may break automated processing');
  await dialog.getByRole('button', { name: 'Unlock' }).click();
  await expect(dialog.getByRole('status')).toHaveText('Done 1, failed 1, not tried 0');
  await expect(dialog.getByRole('row').filter({ hasText: held })).toContainText('Done');
  await expect(dialog.getByRole('row').filter({ hasText: free })).toContainText('status does not allow');
  // A process now holds the payout that failed; the second try then succeeds.
  await holdByProcess(free);
  await dialog.getByRole('button', { name: 'Try 1 again' }).click();
  await expect(dialog.getByRole('status')).toHaveText('Done 2, failed 0, not tried 0');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  const { order } = await callAs('admin', getPayoutDetail, { orderCode: free });
  expect(order.locked).toBe(false);
});

test('a merchant makes payouts from a file, or reads which row is wrong', async ({ as, complaints }) => {
  complaints.expectOf(signFields.path);
  const page = await as('merchant1');
  await page.goto('/payProxyOrder/list/merchant');
  await page.getByRole('button', { name: 'Payouts from a file' }).click();
  const dialog = page.getByRole('dialog', { name: 'Payouts from a file' });
  const number = `F${Date.now()}`;
  const head = 'mchOrderNo,productId,amount,userName,cardNumber,ifscCode,bankName';
  const row = (no: string, amount: string) =>
    `${no},2001,${amount},Asha Rao,50100123456789,HDFC0000521,HDFC Bank`;
  const send = (...rows: string[]) =>
    dialog.getByLabel('Choose file').setInputFiles({
      name: 'payouts.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from([head, ...rows].join('\r\n')),
    });
  await send(row(`${number}A`, '40000'), row(`${number}B`, 'much'));
  await new SecondPasswordDialog(page).answer(demoUser('merchant1').payPassword);
  await expect(dialog.getByRole('alert')).toContainText(/3.*amount/);
  await send(row(`${number}A`, '40000'), row(`${number}B`, '40100'));
  await expect(dialog).toContainText('2 payouts made');
  await dialog.getByRole('button', { name: 'Close' }).click();
  const list = new OrderList(page, 'Payout orders');
  for (const letter of ['A', 'B'])
    await expect(list.page.getByTitle(`${number}${letter}`, { exact: true })).toBeVisible();
});

import { expect, test } from './test.ts';
import { OrderDrawer } from './pages/order-list.ts';
import { Shell } from './pages/shell.ts';
import { createOrderAs } from './world/merchant.ts';

test('an order opens in a tab with its own address; closing the tab asks first if something was typed', async ({
  as,
}) => {
  const { orderCode } = await createOrderAs();
  const page = await as('admin');
  const shell = new Shell(page);
  await page.goto(`/order/list?open=${orderCode}`);
  const { drawer } = new OrderDrawer(page, orderCode);
  await drawer.getByRole('link', { name: 'Open as a tab' }).click();
  await expect(page).toHaveURL(`/order/list/${orderCode}`);
  await expect(drawer).toBeHidden();
  const order = page.getByRole('region', { name: `Order ${orderCode}` });
  await order.getByLabel('New note').fill('Payer called, sends a screenshot');
  await order.getByRole('button', { name: 'Add note' }).click();
  const notes = order.getByRole('region', { name: 'Notes' });
  await expect(notes.getByRole('article')).toContainText('Payer called, sends a screenshot');

  // The tab has the order's actions, also after a reload.
  await expect(order.getByRole('button', { name: 'Supplement' })).toBeVisible();
  await page.reload();
  await expect(notes.getByRole('article')).toHaveCount(1);

  // Closing the tab from another tab asks first, because typed text is not sent.
  await order.getByLabel('New note').fill('half a sent');
  await shell.find('Merchants');
  await page.getByTestId(`close-tab /order/list/${orderCode}`).click();
  const ask = page.getByRole('dialog', { name: 'Close this tab?' });
  await expect(ask).toContainText(`Order ${orderCode}`);
  await ask.getByRole('button', { name: 'Cancel' }).click();
  await shell.tabs.filter({ hasText: `Order ${orderCode}` }).click();
  await expect(order.getByLabel('New note')).toHaveValue('half a sent');
  await order.getByLabel('New note').fill('');
  await page.getByTestId(`close-tab /order/list/${orderCode}`).click();
  await expect(shell.tabs.filter({ hasText: orderCode })).toHaveCount(0);
});

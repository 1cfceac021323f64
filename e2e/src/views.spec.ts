import { OrderList } from './pages/order-list.ts';
import { expect, test } from './test.ts';
import { ownNumber } from './world/demo.ts';

test('a saved view is shared with a role, and seen and used by another user', async ({ as }) => {
  const view = `Late and ordinary ${ownNumber(1)}`;
  const page = await as('admin');
  const list = new OrderList(page);
  await list.open('/order/list?s=2&mk=0');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('button', { name: 'Save as view…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save as view…' });
  await dialog.getByLabel('Name').fill(view);
  await dialog.getByLabel('Share with roles').click();
  await page.getByTitle('Customer service').click();
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('button', { name: view })).toBeVisible();

  const other = await as('service');
  const theirs = new OrderList(other);
  await theirs.open('/order/list/customerService');
  await other.getByRole('button', { name: 'Views' }).click();
  await other.getByRole('button', { name: new RegExp(`^${view}`) }).click();
  await expect(other).toHaveURL('/order/list/customerService?s=2&mk=0');
  await expect(theirs.rows.first()).toContainText('Timed out');
});

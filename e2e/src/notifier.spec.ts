import { expect, test } from './test.ts';
import { OrderDrawer } from './pages/order-list.ts';
import { createOrderAs } from './world/merchant.ts';

test('a new order shows in the header with amount and merchant, and the bell keeps it', async ({ as }) => {
  const page = await as('admin');
  const asked = page.waitForResponse(/getLastOrder/);
  await page.goto('/profile/list');
  await asked;
  const { orderCode } = await createOrderAs();
  const notice = page
    .getByRole('banner')
    .getByRole('alert')
    .filter({ hasText: /new orders?/ });
  await expect(notice).toContainText(/₹.*Bazaar/);

  await page.getByRole('button', { name: /^New orders: / }).click();
  await page.getByRole('tooltip').getByRole('button', { name: orderCode }).click();
  await expect(new OrderDrawer(page, orderCode).drawer).toBeVisible();
  await expect(notice).toBeHidden();
  await expect(page.getByRole('button', { name: 'No new orders' })).toBeVisible();
});

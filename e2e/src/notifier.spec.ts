import { expect, test } from './test.ts';
import { OrderDrawer } from './pages/order-list.ts';
import { createOrderAs } from './world/merchant.ts';

const SAMPLED_MS = 20_000;

test('the notice of a new order is told every five seconds, stands in the header all the while, and the bell holds it', async ({
  as,
}) => {
  const page = await as('admin');
  const asked = page.waitForResponse(/getLastOrder/);
  await page.goto('/profile/list');
  await asked;
  const { orderCode } = await createOrderAs();
  const notice = page
    .getByRole('banner')
    .getByRole('alert')
    .filter({ hasText: /new orders?/ });
  await expect(notice).toContainText(/₹/);

  const seen = await page.evaluate(async (ms) => {
    const find = () =>
      [...document.querySelectorAll('header [role=alert]')].find((each) =>
        /new order/.test(each.textContent),
      );
    let told = 0;
    let missing = 0;
    let last = '';
    const end = performance.now() + ms;
    while (performance.now() < end) {
      const shown = find();
      if (!shown?.checkVisibility()) missing += 1;
      // Each telling draws it anew under another name.
      if (shown && shown.className !== last) told += 1;
      last = shown?.className ?? '';
      await new Promise((next) => setTimeout(next, 100));
    }
    return { missing, told };
  }, SAMPLED_MS);
  // Five begin in 20 seconds, or four and what is left of one.
  expect(seen.missing).toBe(0);
  expect([4, 5]).toContain(seen.told);

  await page.getByRole('button', { name: /^New orders: / }).click();
  await page.getByRole('tooltip').getByRole('button', { name: orderCode }).click();
  await expect(new OrderDrawer(page, orderCode).drawer).toBeVisible();
  await expect(notice).toBeHidden();
  await expect(page.getByRole('button', { name: 'No new orders' })).toBeVisible();
});

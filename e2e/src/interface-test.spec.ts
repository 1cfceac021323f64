import { signFields, tryCallback } from '@sangam/contract/endpoints/interface-test.ts';
import { expect, test } from './test.ts';
import { SecondPasswordDialog, Shell } from './pages/shell.ts';
import { demoUser } from './world/demo.ts';
import { beatAll } from './world/monitor.ts';

test('a merchant signs and sends from its interface test, and a real order comes of it', async ({
  as,
  merchantEndpoint,
  complaints,
}) => {
  complaints.expectOf(signFields.path);
  await beatAll();
  const page = await as('merchant1');
  await page.goto('/order/test/merchant');
  await expect(new Shell(page).heading).toBeVisible();
  const panel = page.getByRole('tabpanel', { name: 'Create an order' });
  await panel.getByLabel('productId').click();
  await page.getByTitle('1010 UPI').click();
  await panel.getByLabel('amount').fill('1,234.5');
  await panel.getByLabel('notifyUrl').fill(merchantEndpoint.url);
  await panel.getByLabel('More fields').fill('param2=from the console');
  const number = await panel.getByLabel('mchOrderNo').inputValue();
  await panel.getByRole('button', { name: 'Sign and send' }).click();
  await new SecondPasswordDialog(page).answer(demoUser('merchant1').payPassword);
  await expect(panel).toContainText('amount=123450&');
  await expect(panel).toContainText('secretKey=***');
  await expect(panel).toContainText('"code": 200');
  await expect(panel.getByRole('link', { name: "Open the payer's page" })).toBeVisible();

  await page.goto(`/order/list/merchant?mo=${number}`);
  await expect(page.getByRole('row', { name: /₹1,234\.5/ })).toHaveCount(1);
});

test('the callback tester shows what the merchant’s endpoint answers', async ({
  as,
  merchantEndpoint,
  complaints,
}) => {
  complaints.expectOf(tryCallback.path);
  const page = await as('merchant1');
  await page.goto('/order/test/merchant');
  await page.getByRole('tab', { name: 'Callback tester' }).click();
  const panel = page.getByRole('tabpanel', { name: 'Callback tester' });
  await panel.getByLabel('notifyUrl').fill(merchantEndpoint.url);
  await panel.getByRole('button', { name: 'Send notification' }).click();
  await new SecondPasswordDialog(page).answer(demoUser('merchant1').payPassword);
  await expect(panel.getByText('Acknowledged', { exact: true })).toBeVisible();
  await expect(panel).toContainText('HTTP 200');
});

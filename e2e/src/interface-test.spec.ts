import { execFileSync } from 'node:child_process';
import { signFields, tryCallback } from '@sangam/contract/endpoints/interface-test.ts';
import { expect, test } from './test.ts';
import { SecondPasswordDialog, Shell } from './pages/shell.ts';
import { demoUser } from './world/demo.ts';
import { beatAll } from './world/monitor.ts';

test('a merchant creates a real order from its interface test', async ({
  as,
  merchantEndpoint,
  complaints,
}) => {
  complaints.expectOf(signFields.path);
  await beatAll();
  const page = await as('merchant1');
  await page.goto('/order/test/merchant');
  await expect(new Shell(page).heading).toBeVisible();
  await page.getByRole('tab', { name: 'Create an order' }).click();
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
  await panel.getByRole('button', { name: 'Send callback' }).click();
  await new SecondPasswordDialog(page).answer(demoUser('merchant1').payPassword);
  await expect(panel.getByText('Acknowledged', { exact: true })).toBeVisible();
  await expect(panel).toContainText('HTTP 200');
});

test('the sandbox’s shell commands create an order and a payout, and the page says that no outside world runs', async ({
  as,
}) => {
  await beatAll();
  for (const account of ['merchant1', 'merchant2']) {
    const page = await as(account);
    await page.goto('/order/test/merchant');
    const panel = page.getByRole('tabpanel', { name: 'Sandbox' });
    await panel.getByRole('combobox', { name: 'amount' }).click();
    const create = panel.getByLabel('Create an order', { exact: true });
    const before = await create.textContent();
    await page.getByTitle(/^77704 /).click();
    // With another amount the page makes another order number.
    await expect(create).not.toContainText(/ORDER\d+/.exec(before!)![0]);
    const run = async (name: string) => {
      const line = (await panel.getByLabel(name, { exact: true }).textContent())!;
      return JSON.parse(
        execFileSync('sh', ['-c', line.replace('curl ', 'curl -s ')], { encoding: 'utf8' }),
      ) as {
        code: number;
        data: Record<string, unknown>;
      };
    };
    expect(await run('Create an order')).toMatchObject({ code: 200 });
    expect(await run('Ask for the order')).toMatchObject({ code: 200, data: { amount: 77704, status: 0 } });
    expect(await run('Create a payout')).toMatchObject({ code: 200 });
    expect(await run('Ask for the balance')).toMatchObject({ code: 200 });
    // The worlds of these tests have no outside world.
    await expect(panel.getByRole('status')).toContainText('nobody pays');
    await page.context().close();
  }
});

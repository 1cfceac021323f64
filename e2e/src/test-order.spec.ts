import { updateLimits } from '@sangam/contract/endpoints/merchant.ts';
import { signTestOrder } from '@sangam/contract/endpoints/test-order.ts';
import { SecondPasswordDialog } from './pages/shell.ts';
import { expect, test } from './test.ts';
import { demo, demoUser } from './world/demo.ts';
import { beatAll } from './world/monitor.ts';
import { callAs } from './world/session.ts';

const merchant = () => demo().merchants.find(({ account }) => account === 'merchant3')!;
const limitTo = (payInIps: string[]) =>
  callAs('superadmin', updateLimits, { id: merchant().mchId, payInIps });

test.afterEach(() => limitTo([]));

test('an operator finds a merchant by a part of its name and tests it, though it takes calls from its own addresses only', async ({
  as,
  complaints,
}) => {
  complaints.expectOf(signTestOrder.path);
  const { mchId, account } = merchant();
  await limitTo(['203.0.113.77']);
  const page = await as('superadmin');
  await page.goto('/order/testAdminOrder');
  await page.getByRole('button', { name: 'New test order' }).click();
  const dialog = page.getByRole('dialog', { name: 'New test order' });
  await dialog.getByLabel('Merchant').fill(account);
  await page.getByTitle(new RegExp(`^${mchId} · `)).click();
  await dialog.getByLabel('Product').fill('1010');
  await page.getByTitle(/^1010 · /).click();
  // The merchant's name stays, though the options are those of an empty search again.
  await expect(dialog).toContainText(`${mchId} · `);
  await dialog.getByLabel('Amount').fill('500');
  await beatAll();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await new SecondPasswordDialog(page).answer(demoUser('superadmin').payPassword);
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('region', { name: /^TEST-ORDER-/ })).toContainText('Payable amount');
});

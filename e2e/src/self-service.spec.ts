import { askForAddresses } from '@sangam/contract/endpoints/merchant.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import { approve, openRequest } from './pages/approvals.ts';
import { SecondPasswordDialog, Shell } from './pages/shell.ts';
import { expect, test } from './test.ts';
import { demoUser, ownNumber } from './world/demo.ts';

test('a merchant sees its rates, asks for an address, and follows its request until an admin agrees', async ({
  as,
  complaints,
}) => {
  complaints.expectOf(askForAddresses.path);
  complaints.expectOf(decide.path);
  // Of pay-ins: no other test sends them from elsewhere as this merchant.
  const address = `203.0.${Math.floor(ownNumber(0) / 250)}.${(ownNumber(0) % 250) + 1}`;
  const page = await as('merchant4');
  await page.goto('/profile/list');
  const rates = page.getByRole('region', { name: 'Rates and limits' });
  await expect(rates.getByRole('row', { name: /^1010 UPI/ })).toContainText('%');
  const addresses = page.getByRole('region', { name: 'Addresses' });
  await addresses.getByRole('button', { name: 'Ask for a change…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Ask for a change…' });
  await dialog.getByLabel('Pay-ins may come from').fill(`127.0.0.1\n${address}`);
  await dialog.getByLabel('Reason').fill('Our new server');
  await dialog.getByRole('button', { name: 'Ask for a change…' }).click();
  await new SecondPasswordDialog(page).answer(demoUser('merchant4').payPassword);
  await expect(dialog).toBeHidden();
  await page.goto('/todo/started');
  const row = page.getByRole('row', { name: /Merchant’s own addresses/ }).first();
  await expect(row).toContainText('Waiting');

  const decider = await as('superadmin');
  await openRequest(decider, /Merchant’s own addresses/, 'Merchant’s own addresses');
  await approve(decider, 'Merchant’s own addresses', 'superadmin');
  await page.reload();
  await expect(row).toContainText('Approved');
  await page.goto('/profile/list');
  await expect(addresses).toContainText(address);
});

test('a merchant sees how its notifications fail, and sends all of one kind again', async ({ as }) => {
  const page = await as('merchant1');
  await page.goto('/orderCallback/merchant');
  await expect(new Shell(page).heading).toBeVisible();
  const failing = page.getByRole('region', { name: 'Failing, by answer' });
  await failing
    .getByRole('button', { name: /^Send all \d+ now$/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Send all that failed so' });
  await dialog.getByRole('button', { name: 'Send now' }).click();
  await expect(dialog).toBeHidden();
  await expect(new Shell(page).notice('Sent again')).toBeVisible();
});

test('those who look after the machinery see phones and queues at home, and no revenue', async ({ as }) => {
  for (const account of ['support', 'maintenance']) {
    const page = await as(account);
    await page.goto('/home');
    const health = page.getByRole('region', { name: 'Monitors and queues' });
    await expect(health.getByText('Monitors alive')).toBeVisible();
    await expect(page.getByRole('region', { name: 'INR', exact: true })).toHaveCount(0);
    await page.context().close();
  }
});

test('a merchant reads its fees of a month by product, and keeps them as a file', async ({ as }) => {
  const page = await as('merchant1');
  await page.goto('/fundRecord/fundRecord');
  await page.getByRole('button', { name: 'Fees by month' }).click();
  const fees = page.getByRole('dialog', { name: 'Fees by month' });
  await expect(fees.getByRole('row', { name: /^1010 UPI/ })).toContainText('₹');
  const downloading = page.waitForEvent('download');
  await fees.getByRole('button', { name: 'CSV' }).click();
  expect((await downloading).suggestedFilename()).toMatch(/^fees-\d{4}-\d{2}\.csv$/);
});

import { getFees } from '@sangam/contract/endpoints/invoice.ts';
import { askForAddresses } from '@sangam/contract/endpoints/merchant.ts';
import { claimOrder, confirmPaid } from '@sangam/contract/endpoints/payout.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import { askForBeneficiary } from '@sangam/contract/endpoints/withdrawal.ts';
import { approve, openRequest } from './pages/approvals.ts';
import { SecondPasswordDialog, Shell } from './pages/shell.ts';
import { expect, test } from './test.ts';
import { demo, demoUser, ownNumber } from './world/demo.ts';
import { bookMoneyFor } from './world/funds.ts';
import { newReference } from './world/monitor.ts';
import { callAs } from './world/session.ts';

test('a merchant sees its rates, requests a new address, and follows the request until an admin approves', async ({
  as,
  complaints,
}) => {
  complaints.expectOf(askForAddresses.path);
  complaints.expectOf(decide.path);
  // For collections: no other test sends calls of this merchant from another address.
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

test('a merchant gets a beneficiary approved, withdraws to it, and follows the withdrawal to its end', async ({
  as,
  complaints,
}) => {
  complaints.expectOf(askForBeneficiary.path);
  complaints.expectOf(decide.path);
  await bookMoneyFor(demo().merchants.find(({ account }) => account === 'merchant1')!.mchId);
  const account = `5010${Date.now()}`;
  const page = await as('merchant1');
  await page.goto('/fundRecord/fundRecord');
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
  const drawer = page.getByRole('dialog', { name: 'Withdraw', exact: true });
  await drawer.getByRole('button', { name: 'Add an account…' }).click();
  const asked = page.getByRole('dialog', { name: 'Add an account' });
  await asked.getByLabel('Name at the bank').fill('Chowk Bazaar Pvt Ltd');
  await asked.getByLabel('Bank', { exact: true }).fill('HDFC Bank');
  await asked.getByLabel('Account number').fill(account);
  await asked.getByLabel('IFSC').fill('HDFC0000521');
  await asked.getByLabel('Reason').fill('Our current account');
  await asked.getByRole('button', { name: 'Send for approval' }).click();
  await new SecondPasswordDialog(page).answer(demoUser('merchant1').payPassword);
  await expect(asked).toBeHidden();
  const own = drawer.getByRole('region', { name: 'Own accounts' });
  const row = own.getByRole('listitem').filter({ hasText: account.slice(-4) });
  await expect(row).toContainText('Waits for the operator');
  await expect(row.getByRole('button')).toHaveCount(0);

  const decider = await as('superadmin');
  const request = await openRequest(decider, /Merchant’s beneficiary/, 'Merchant’s beneficiary');
  await expect(request).toContainText(account);
  await approve(decider, 'Merchant’s beneficiary', 'superadmin');

  await row.getByRole('button', { name: /^Withdraw: Chowk Bazaar/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Withdraw · Chowk Bazaar Pvt Ltd' });
  await dialog.getByLabel('Arrives').fill('1500');
  await dialog.getByRole('button', { name: 'Show the fee' }).click();
  // 0.9 % and 6 rupees.
  await expect(dialog).toContainText('₹19.50');
  await expect(dialog).toContainText('₹1,519.50');
  await dialog.getByRole('button', { name: 'Withdraw', exact: true }).click();
  await expect(dialog).toBeHidden();
  const withdrawal = drawer
    .getByRole('region', { name: 'Withdrawals' })
    .getByRole('listitem')
    .filter({ hasText: account.slice(-4) })
    .first();
  await expect(withdrawal).toContainText('Waiting');

  const orderCode = await withdrawal.getByRole('link').innerText();
  await callAs('supplier1', claimOrder, { orderId: orderCode });
  const utr = newReference();
  await callAs('service', confirmPaid, { orderCode, utr });
  await expect(withdrawal).toContainText('Completed');
  await expect(withdrawal).toContainText(utr);
  await withdrawal.getByRole('button', { name: /^Steps/ }).click();
  await expect(withdrawal.getByRole('region', { name: 'Timeline' })).toContainText('Completed');
});

test('a merchant sees how its callbacks fail, and resends all failures of one kind', async ({ as }) => {
  const page = await as('merchant1');
  await page.goto('/orderCallback/merchant');
  await expect(new Shell(page).heading).toBeVisible();
  const failing = page.getByRole('region', { name: 'Failing, by answer' });
  await failing
    .getByRole('button', { name: /^Send all \d+ now$/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Resend all with this failure' });
  await dialog.getByRole('button', { name: 'Send now' }).click();
  await expect(dialog).toBeHidden();
  await expect(new Shell(page).notice('Sent again')).toBeVisible();
});

test('technical roles see monitors and queues on their home screen, and no revenue', async ({ as }) => {
  for (const account of ['support', 'maintenance']) {
    const page = await as(account);
    await page.goto('/home');
    const health = page.getByRole('region', { name: 'Monitors and queues' });
    await expect(health.getByText('Monitors alive')).toBeVisible();
    await expect(page.getByRole('region', { name: 'INR', exact: true })).toHaveCount(0);
    await page.context().close();
  }
});

test('a merchant sees its fees of a month by product, and saves them as a file', async ({ as }) => {
  const page = await as('merchant1');
  await page.goto('/fundRecord/fundRecord');
  await page.getByRole('button', { name: 'Fees by month' }).click();
  const fees = page.getByRole('dialog', { name: 'Fees by month' });
  // Last month: this one has no fees yet on its first day.
  await fees.getByRole('combobox', { name: 'Month' }).click();
  const asked = page.waitForRequest((request) => request.url().includes(getFees.path));
  await page.locator('.ant-select-item-option').nth(1).click();
  await asked;
  await expect(fees.getByRole('row', { name: /^1010 UPI/ })).toContainText('₹');
  const downloading = page.waitForEvent('download');
  await fees.getByRole('button', { name: 'CSV' }).click();
  expect((await downloading).suggestedFilename()).toMatch(/^fees-\d{4}-\d{2}\.csv$/);
});

test('a merchant opens the invoice of last month and saves it', async ({ as }) => {
  const page = await as('merchant1');
  await page.goto('/fundRecord/fundRecord');
  const invoices = page.getByRole('dialog', { name: 'Invoices' });
  // Invoices are issued within a minute of the world's start, after its history has been summed up.
  await expect(async () => {
    await page.reload();
    await page.getByRole('button', { name: 'Invoices' }).click();
    await expect(invoices.getByRole('region', { name: /^Invoice · / })).not.toHaveCount(0);
  }).toPass();
  const invoice = invoices.getByRole('region', { name: /^Invoice · / }).first();
  await expect(invoice.getByRole('row', { name: /^1010 UPI/ })).toContainText('18 %');
  const downloading = page.waitForEvent('download');
  await invoice.getByRole('button', { name: /^Save/ }).click();
  expect((await downloading).suggestedFilename()).toMatch(/^invoice-\d{4}-\d\d-\d{6}\.html$/);
});

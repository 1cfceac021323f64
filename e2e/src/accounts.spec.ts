import { getResourceDetailInfo, getResourceList } from '@sangam/contract/endpoints/party.ts';
import { createAccount, updateAccount } from '@sangam/contract/endpoints/account.ts';
import { submitKyc, reviewKyc } from '@sangam/contract/endpoints/kyc.ts';
import { ReceivingAccounts } from './pages/receiving-accounts.ts';
import { SecondPasswordDialog, Shell } from './pages/shell.ts';
import { expect, test } from './test.ts';
import { demoUser } from './world/demo.ts';
import { callAs } from './world/session.ts';

test('an account can be switched only once its QR image is there', async ({ as }) => {
  const page = await as('admin');
  const accounts = new ReceivingAccounts(page);
  const shell = new Shell(page);
  const held = Promise.withResolvers<void>();
  await page.route(`**${getResourceDetailInfo.path}?*`, async (route) => {
    await held.promise;
    await route.continue();
  });
  // Google Pay: no other test makes orders for it.
  await accounts.open('?pr=1023&s=0');
  await accounts.askToSwitchFirst('Google Pay');
  await expect(accounts.takesOrders).toBeDisabled();
  held.resolve();
  await expect(accounts.qrCode).toBeVisible();
  await expect(accounts.takesOrders).toBeEnabled();
  await expect(accounts.takesOrders).toBeChecked();

  await accounts.takesOrders.click();
  await expect(shell.notice(/^Account .+ closed successfully$/)).toBeVisible();
  await expect(accounts.takesOrders).not.toBeChecked();
  await accounts.takesOrders.click();
  await expect(shell.notice(/^Account .+ opened successfully$/)).toBeVisible();
  await expect(accounts.takesOrders).toBeChecked();
});

test('an account whose QR image is broken cannot be switched', async ({ as }) => {
  const page = await as('admin');
  const accounts = new ReceivingAccounts(page);
  await page.route(`**${getResourceDetailInfo.path}?*`, async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { data: object };
    await route.fulfill({
      response,
      json: { ...answer, data: { ...answer.data, qrCode: 'data:image/png;base64,AAAA' } },
    });
  });
  await accounts.open('?pr=1023');
  await accounts.askToSwitchFirst('Google Pay');
  await expect(accounts.dialog.getByRole('alert')).toContainText('The QR image could not be loaded');
  await expect(accounts.takesOrders).toBeDisabled();
});

test('an account is one row with a chip for each product; a click on a chip changes that product', async ({
  as,
  complaints,
}) => {
  complaints.expectOf(updateAccount.path);
  const account = (
    await callAs('admin', getResourceList, { area: 'receivingAccounts', pageSize: 100 })
  ).list.find(({ products }) => products.length >= 3)!;
  const [chosen] = account.products.slice(-1);
  const page = await as('admin');
  const accounts = new ReceivingAccounts(page);
  await accounts.open(`?q=${account.accountNumber.slice(-4)}&pr=${chosen!.productId}`);
  const row = page.locator(`[data-row="${account.id}"]`);
  await expect(row).toHaveCount(1);
  const chips = row.getByRole('listitem');
  await expect(chips).toHaveCount(account.products.length);
  await chips.last().getByRole('button').click();
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await expect(accounts.takesOrders).toBeEnabled();
  await accounts.dialog.getByRole('button', { name: 'Change limits and weight' }).click();
  const weight = accounts.dialog.getByLabel('Weight');
  await expect(weight).toHaveValue(String(chosen!.weight));
  await weight.fill(String(chosen!.weight + 1));
  await accounts.dialog.getByRole('button', { name: 'Save' }).click();
  await new SecondPasswordDialog(page).answer(demoUser('admin').payPassword);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const [changed] = (
    await callAs('admin', getResourceList, { account: account.accountNumber.slice(-4) })
  ).list.filter(({ id }) => id === account.id);
  expect(changed!.products.map(({ weight: each }) => each)).toEqual([
    ...account.products.slice(0, -1).map(({ weight: each }) => each),
    chosen!.weight + 1,
  ]);
  // Orders of other tests are allocated to this account.
  await callAs('admin', updateAccount, { id: account.id, products: [chosen!] });
});

test('a payout account is made by its supplier, proven by a second person and opened', async ({
  as,
  complaints,
}) => {
  for (const { path } of [createAccount, submitKyc, reviewKyc]) complaints.expectOf(path);
  const number = `9${String(Date.now()).slice(-12)}`;
  const supplier = await as('supplier1');
  await supplier.goto('/indiaAutoPayout/list');
  await supplier.getByRole('button', { name: 'New account' }).click();
  const form = supplier.getByRole('dialog', { name: 'New account' });
  await form.getByLabel('Product').click();
  await supplier.getByTitle('2001 Bank payout').click();
  await supplier.keyboard.press('Escape');
  const fill = (label: string, text: string) => form.getByLabel(label, { exact: true }).fill(text);
  await fill('Bank', 'HDFC');
  await fill('Account holder', 'Deccan Collections LLP');
  await fill('Account number', number);
  await fill('IFSC', 'HDFC0ZZZZZZ');
  await fill('SMS sender', 'HDFCBK');
  await fill('Min amount', '200');
  await fill('Max amount', '50000');
  await fill('Purpose', 'Payouts of authorised merchants');
  await form.getByRole('button', { name: 'Create' }).click();
  await new SecondPasswordDialog(supplier).answer(demoUser('supplier1').payPassword);
  await expect(form).toContainText('The bank is not known to have this branch');
  await fill('IFSC', 'HDFC0000521');
  await form.getByRole('button', { name: 'Create' }).click();
  await expect(form).toBeHidden();

  const row = supplier.getByRole('row', { name: number });
  await expect(row).toContainText('Closed');
  await row.getByText('Deccan Collections LLP').click();
  const drawer = supplier.getByRole('dialog', { name: number });
  await drawer.getByRole('button', { name: 'Hand in' }).click();
  const proof = supplier.getByRole('dialog', { name: 'Hand in' });
  await proof.getByLabel('Where the documents are kept').fill('cheque.pdf');
  await proof.getByRole('button', { name: 'Hand in' }).click();
  await expect(drawer).toContainText('In review');

  const admin = await as('admin');
  await admin.goto(`/indiaAutoPayout/list-admin?q=${number}`);
  await admin
    .getByRole('row', { name: number.slice(-4) })
    .getByText('Deccan Collections LLP')
    .click();
  const opened = admin.getByRole('dialog', { name: number.slice(-4) });
  await opened.getByRole('button', { name: 'Approve cheque.pdf' }).click();
  const review = admin.getByRole('dialog', { name: /^Approve/ });
  await review.getByRole('button', { name: 'Approve' }).click();
  await new SecondPasswordDialog(admin).answer(demoUser('admin').payPassword);
  await expect(review).toBeHidden();
  await expect(opened).toContainText('Approved');

  await supplier.goto(`/indiaAutoPayout/list?q=${number}`);
  const accounts = new ReceivingAccounts(supplier);
  await row.getByRole('button', { name: /^Bank payout · Closed, .+: open, close or change$/ }).click();
  await expect(accounts.takesOrders).toBeEnabled();
  await accounts.takesOrders.click();
  await expect(new Shell(supplier).notice(/^Account .+ opened successfully$/)).toBeVisible();
});

test('a payout wallet shows why it cannot pay, and shows no monitor, because it has none', async ({ as }) => {
  const page = await as('admin');
  await page.goto('/uSDTPayProxy/list-admin');
  // No chain answers in this world, and the signer may still be starting.
  const wallets = page.getByRole('group', { name: 'Wallets' });
  await expect(wallets).toContainText(/^T\w{33} (The chain|The signer) does not answer/);
  await expect(page.getByRole('row', { name: 'TRON' })).toHaveCount(1);
  await expect(page.getByText('Offline', { exact: true })).toHaveCount(0);
});

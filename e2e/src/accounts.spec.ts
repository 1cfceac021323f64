import { getResourceDetailInfo } from '@sangam/contract/endpoints/party.ts';
import { ReceivingAccounts } from './pages/receiving-accounts.ts';
import { Shell } from './pages/shell.ts';
import { expect, test } from './test.ts';

test('an account can be switched only once its QR image is there', async ({ as }) => {
  const page = await as('admin');
  const accounts = new ReceivingAccounts(page);
  const shell = new Shell(page);
  const held = Promise.withResolvers<void>();
  await page.route(`**${getResourceDetailInfo.path}?*`, async (route) => {
    await held.promise;
    await route.continue();
  });
  // Google Pay: no other test has orders there.
  await accounts.open('?pr=1023&s=0');
  await accounts.askToSwitchFirst();
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
  await accounts.askToSwitchFirst();
  await expect(accounts.dialog.getByRole('alert')).toContainText('The QR image could not be loaded');
  await expect(accounts.takesOrders).toBeDisabled();
});

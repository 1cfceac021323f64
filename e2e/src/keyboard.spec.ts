import { readFile } from 'node:fs/promises';
import { topUp } from '@sangam/contract/endpoints/fund.ts';
import { signFields } from '@sangam/contract/endpoints/interface-test.ts';
import { reverse, supplement } from '@sangam/contract/endpoints/order.ts';
import { claimOrder } from '@sangam/contract/endpoints/payout.ts';
import { confirmPayoutBatch, createPayoutBatch } from '@sangam/contract/endpoints/payout-batch.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import { unbindForProfile } from '@sangam/contract/endpoints/user.ts';
import { CashierPage } from './pages/cashier-page.ts';
import { Keyboard } from './pages/keyboard.ts';
import { OrderDrawer, OrderList, SupplementDialog } from './pages/order-list.ts';
import { SecondPasswordDialog, Shell } from './pages/shell.ts';
import { BindingPage, SignInPage } from './pages/sign-in-page.ts';
import { expect, test } from './test.ts';
import { holdByProcess } from './world/automatic-process.ts';
import { demoUser, ownNumber } from './world/demo.ts';
import { keepAuthenticator, unusedCode } from './world/google-code.ts';
import { beatAll, bankReports, newReference } from './world/monitor.ts';
import { createOrderAs, createPayoutAs } from './world/merchant.ts';
import { tomorrowNoon, uploadPayouts } from './world/payout-file.ts';
import { approveReversal } from './world/reversal.ts';
import { callAs } from './world/session.ts';

// What operators do all day, without a mouse: every control is reached by Tab or by a key of its own.

/** The field of the second-level password has the focus at once. */
async function answerSecondPassword(keys: Keyboard, account: string): Promise<void> {
  const { dialog } = new SecondPasswordDialog(keys.page);
  await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused();
  await keys.type(demoUser(account).payPassword);
  await keys.press('Enter');
  await expect(dialog).toBeHidden();
}

test('signs in for the first time, with an authenticator bound on the way', async ({ page, complaints }) => {
  complaints.expectOf('/v1.0/user/login');
  const { account, password } = demoUser('support');
  await callAs('support', unbindForProfile, { userAccount: account });
  const keys = new Keyboard(page);
  await new SignInPage(page).open();
  await keys.write(page.getByLabel('Account'), account);
  await keys.write(page.getByLabel('Password', { exact: true }), password);
  await keys.press('Enter');
  const binding = new BindingPage(page);
  await expect(binding.qrCode).toBeVisible();
  const secret = (await binding.secret.innerText()).trim();
  await keys.write(page.getByLabel('Google code'), await unusedCode(account, secret));
  await keys.press('Enter');
  await expect(page).toHaveURL('/home');
  keepAuthenticator(account, secret);
});

test('supplements an order with the UTR the payer sent', async ({ as, complaints, merchantEndpoint }) => {
  complaints.expectOf(supplement.path);
  const { orderCode } = await createOrderAs({ notifyUrl: merchantEndpoint.url });
  const utr = newReference();
  const page = await as('service');
  const keys = new Keyboard(page);
  const list = new OrderList(page);
  await list.open(`/order/list/customerService?o=${orderCode}`);
  await expect(list.row(orderCode)).toContainText('Allocated');
  await keys.press('j', 'Enter');
  const drawer = new OrderDrawer(page, orderCode);
  await keys.push(drawer.actions.getByRole('button', { name: 'Supplement' }));
  const { dialog } = new SupplementDialog(page);
  await keys.write(dialog.getByLabel('UTR'), utr);
  await keys.push(dialog.getByRole('button', { name: 'Supplement' }));
  await answerSecondPassword(keys, 'service');
  await expect(dialog).toBeHidden();
  await expect(drawer.section('Timeline')).toContainText(utr);
  await keys.press('Escape');
  await expect(list.row(orderCode)).toContainText('Callback succeeded');
});

test('reassigns a waiting order to another account, and the payer sees that account', async ({ as }) => {
  const { orderCode, payUrl, payParams } = await createOrderAs();
  const page = await as('service');
  const payer = await page.context().newPage();
  const { openUpi } = new CashierPage(payer);
  await payer.goto(payUrl);
  const toTheFirst = new RegExp(`pa=${payParams.vpa}&`);
  await expect(openUpi).toHaveAttribute('href', toTheFirst);
  const keys = new Keyboard(page);
  const list = new OrderList(page);
  await page.bringToFront();
  await list.open(`/order/list/customerService?o=${orderCode}`);
  await expect(list.row(orderCode)).toContainText('Allocated');
  await keys.press('j', 'Enter');
  const drawer = new OrderDrawer(page, orderCode);
  await keys.push(drawer.actions.getByRole('button', { name: 'Reassign' }));
  const dialog = page.getByRole('dialog', { name: 'Reassign' });
  await expect(dialog).toContainText('A payer who already sees the old account must not pay to it');
  await keys.push(dialog.getByRole('button', { name: 'Reassign' }));
  await expect(drawer.section('Timeline')).toContainText('Account reassigned');
  await payer.bringToFront();
  await expect(openUpi).not.toHaveAttribute('href', toTheFirst);
});

test('claims a payout, pays it and confirms it with the UTR', async ({ as, complaints }) => {
  complaints.expectOf(claimOrder.path);
  const orderCode = await createPayoutAs();
  const page = await as('supplier1');
  const keys = new Keyboard(page);
  const list = new OrderList(page, 'Payout orders');
  await list.open(`/payProxyOrder/list/supplier?o=${orderCode}`);
  await expect(list.row(orderCode)).toContainText('Waiting');
  await keys.press('ArrowDown', 'Enter');
  const drawer = new OrderDrawer(page, orderCode);
  await keys.push(drawer.actions.getByRole('button', { name: 'Claim' }));
  await keys.push(page.getByRole('dialog', { name: 'Claim' }).getByRole('button', { name: 'Claim' }));
  await answerSecondPassword(keys, 'supplier1');
  await expect(drawer.drawer).toContainText('Preparing');
  await keys.push(drawer.actions.getByRole('button', { name: 'Confirm paid' }));
  const confirm = page.getByRole('dialog', { name: 'Confirm paid' });
  await keys.choose(confirm.getByLabel('Paid from'), 'ICICI 9771');
  await keys.write(confirm.getByLabel('UTR'), newReference());
  await keys.press('Enter');
  await expect(drawer.drawer).toContainText('Completed');
  await expect(drawer.drawer).toContainText('Unproven');
  await expect(drawer.drawer).toContainText('ICICI 9771');
  await expect(drawer.section('Ledger entries').getByRole('row')).not.toHaveCount(1);
  await keys.press('Escape');
  await expect(drawer.drawer).toBeHidden();
  await expect(list.row(orderCode)).toContainText('Completed');
});

test('asks to reverse a paid order, which another one approves', async ({ as, complaints }) => {
  complaints.expectOf(reverse.path);
  const { orderCode, payParams } = await createOrderAs();
  await bankReports(payParams);
  const page = await as('admin');
  const keys = new Keyboard(page);
  const list = new OrderList(page);
  await list.open(`/order/list?o=${orderCode}`);
  await expect(list.row(orderCode)).toBeVisible();
  await keys.press('j', 'Enter');
  const drawer = new OrderDrawer(page, orderCode);
  await keys.push(drawer.actions.getByRole('button', { name: 'Reverse' }));
  const dialog = page.getByRole('dialog', { name: 'Reverse', exact: true });
  await keys.write(dialog.getByLabel('Reason'), 'Paid by mistake');
  await keys.push(dialog.getByRole('button', { name: 'Reverse' }));
  await answerSecondPassword(keys, 'admin');
  await expect(dialog).toBeHidden();
  await approveReversal(orderCode);
  await page.reload();
  await expect(drawer.section('Timeline')).toContainText('Paid by mistake');
});

test('unlocks the picked payouts; one succeeds and one fails', async ({ as }) => {
  const [held, free] = [await createPayoutAs(), await createPayoutAs()];
  await holdByProcess(held);
  const page = await as('admin');
  const keys = new Keyboard(page);
  const list = new OrderList(page, 'Payout orders');
  await list.open('/payProxyOrder/list?s=0');
  // The newest are on top.
  await expect(list.rows.nth(1)).toContainText(held.slice(-4));
  await keys.press('j', 'x', 'j', 'x');
  await keys.push(page.getByRole('group', { name: 'Picked rows' }).getByRole('button', { name: 'Unlock' }));
  const dialog = page.getByRole('dialog', { name: 'Unlock' });
  await keys.push(dialog.getByRole('button', { name: 'Unlock' }));
  await expect(dialog.getByRole('status')).toHaveText('Done 1, failed 1, not tried 0');
  await expect(dialog.getByRole('row').filter({ hasText: free })).toContainText('status does not allow');
  await keys.press('Escape');
  await expect(dialog).toBeHidden();
});

test('moves money by hand, and a second person approves it', async ({ as, complaints }) => {
  complaints.expectOf(topUp.path);
  complaints.expectOf(decide.path);
  const page = await as('admin');
  const keys = new Keyboard(page);
  await page.goto('/merchants/list?q=merchant2');
  await expect(page.getByText('Tamarind Learning').first()).toBeVisible();
  await keys.press('ArrowDown', 'Enter');
  await keys.push(
    page.getByRole('dialog', { name: 'Tamarind Learning' }).getByRole('button', { name: 'Top-up…' }),
  );
  const dialog = page.getByRole('dialog', { name: 'Top-up · Tamarind Learning' });
  const sum = ownNumber(7_000).toLocaleString('en-IN');
  await keys.write(dialog.getByLabel('Amount'), `${sum}.32`);
  await keys.write(dialog.getByLabel('Reason'), 'Seen by the bank');
  await keys.push(dialog.getByRole('button', { name: 'Send for approval' }));
  await answerSecondPassword(keys, 'admin');
  await expect(dialog).toBeHidden();

  const decider = await as('superadmin');
  const theirs = new Keyboard(decider);
  await decider.goto('/todo/mine');
  const asked = decider.getByRole('row', { name: new RegExp(`Top-up.*${sum}\\.32`) });
  await expect(asked).toBeVisible();
  await theirs.press('ArrowDown', 'Enter');
  await theirs.push(
    decider.getByRole('dialog', { name: 'Top-up', exact: true }).getByRole('button', { name: 'Approve' }),
  );
  const answer = decider.getByRole('dialog', { name: 'Approve: Top-up' });
  await theirs.push(answer.getByRole('button', { name: 'Approve' }));
  await answerSecondPassword(theirs, 'superadmin');
  await expect(asked).toBeHidden();
});

test('makes a payout batch, downloads its file and uploads the bank’s result', async ({ as, complaints }) => {
  complaints.expectOf(createPayoutBatch.path);
  complaints.expectOf(confirmPayoutBatch.path);
  const amount = ownNumber(24_000);
  await uploadPayouts([amount]);
  const page = await as('admin');
  const keys = new Keyboard(page);
  await page.goto('/payoutBatch/list');
  await keys.push(page.getByRole('button', { name: 'New batch' }));
  const wizard = page.getByRole('dialog', { name: 'New batch' });
  await keys.choose(wizard.getByLabel('Payout account'), 'ICICI');
  await keys.choose(wizard.getByLabel('Template'), 'ICICI CIB');
  await keys.write(wizard.getByLabel('Min amount'), `${amount}`);
  await keys.write(wizard.getByLabel('Max amount'), `${amount}`);
  await keys.write(wizard.getByLabel('Payout time'), tomorrowNoon());
  await keys.press('Enter');
  await keys.push(wizard.getByRole('button', { name: 'Preview' }));
  await keys.push(wizard.getByRole('button', { name: 'Create batch of 1' }));
  await answerSecondPassword(keys, 'admin');

  const batch = page.getByRole('dialog', { name: /^Batch \d+$/ });
  const downloading = page.waitForEvent('download');
  await keys.push(batch.getByRole('button', { name: 'Export file' }));
  const file = await readFile(await (await downloading).path(), 'utf8');
  await keys.push(batch.getByRole('button', { name: 'Mark as sent' }));
  const choosing = page.waitForEvent('filechooser');
  await keys.push(batch.getByRole('button', { name: 'Upload result' }));
  const [sum, reference] = [6, 13].map((cell) => file.split('\r\n')[1]!.split(',')[cell]);
  const report = `Reference_no,Amount,STATUS,Rejection Reason,UTR NO\n${reference},${sum},Success,,ICICN52026112200000977`;
  await (await choosing).setFiles({ name: 'report.csv', mimeType: 'text/csv', buffer: Buffer.from(report) });
  await keys.goTo(batch.getByRole('checkbox').nth(1));
  await keys.press('Space');
  await keys.push(batch.getByRole('button', { name: 'Confirm chosen (1)' }), 'Shift+Tab');
  const posting = page.getByRole('dialog', { name: 'Confirm 1 payout' });
  await keys.push(posting.getByRole('button', { name: 'Confirm', exact: true }));
  // Above the amount that one person may confirm alone in a day.
  await expect(page.getByText(/Submitted for approval/)).toBeVisible();
});

test('sends an order from the interface test', async ({ as, complaints, merchantEndpoint }) => {
  complaints.expectOf(signFields.path);
  await beatAll();
  const page = await as('merchant1');
  const keys = new Keyboard(page);
  await page.goto('/order/test/merchant');
  await keys.goTo(page.getByRole('tab', { name: 'Sandbox' }));
  await keys.press('ArrowRight', 'Enter');
  const panel = page.getByRole('tabpanel', { name: 'Create an order' });
  await keys.choose(panel.getByLabel('productId'), '1010');
  await keys.write(panel.getByLabel('amount'), '1,432.5');
  await keys.write(panel.getByLabel('notifyUrl'), merchantEndpoint.url);
  await keys.push(panel.getByRole('button', { name: 'Sign and send' }));
  await answerSecondPassword(keys, 'merchant1');
  await expect(panel).toContainText('"code": 200');
});

test('saves a view for a role and takes an export', async ({ as }) => {
  const page = await as('admin');
  const keys = new Keyboard(page);
  const list = new OrderList(page);
  await list.open('/order/list?s=2');
  await keys.push(page.getByRole('button', { name: 'Views' }));
  // The focus moves there when the popover has finished opening.
  await expect(page.locator('.ant-popover :focus')).toHaveCount(1);
  await keys.push(page.getByRole('button', { name: 'Save as view…' }));
  const dialog = page.getByRole('dialog', { name: 'Save as view…' });
  const view = `Late, by keys ${ownNumber(1)}`;
  await keys.write(dialog.getByLabel('Name'), view);
  await keys.choose(dialog.getByLabel('Share with roles'), 'Technical maintenance');
  // Closes the list of choices, not the dialog.
  await keys.press('Escape');
  await keys.push(dialog.getByRole('button', { name: 'Save', exact: true }));
  await expect(page.getByRole('button', { name: view })).toBeVisible();
  const downloading = page.waitForEvent('download');
  await keys.push(page.getByRole('button', { name: 'Export CSV' }));
  expect((await downloading).suggestedFilename()).toMatch(/\.csv$/);
});

test('shows a notice about a new order', async ({ as }) => {
  const page = await as('admin');
  const keys = new Keyboard(page);
  // An order counts as new if it comes after the first poll.
  const asked = page.waitForResponse(/getLastOrder/);
  await page.goto('/home');
  await asked;
  await expect(new Shell(page).heading).toBeVisible();
  await createOrderAs();
  const notice = page.getByRole('alert').filter({ hasText: /new orders?/ });
  await keys.push(notice.getByRole('button', { name: 'Got it' }));
  await expect(notice).toBeHidden();
});

test('goes between tabs and closes them', async ({ as }) => {
  const page = await as('admin');
  const keys = new Keyboard(page);
  const shell = new Shell(page);
  for (const path of ['/order/list', '/merchants/list', '/supplier/list', '/profile/list']) {
    await page.goto(path);
    await expect(shell.tabs.last()).toHaveAttribute('aria-selected', 'true');
  }
  const tab = (name: string) => shell.tabs.filter({ hasText: name });
  await keys.goTo(tab('Profile'));
  await keys.press('ArrowLeft', 'Delete');
  await expect(shell.tabs).toHaveText(['Home', 'Collection orders', 'Merchants', 'Profile']);
  await keys.goTo(tab('Profile'));
  await keys.press('ArrowLeft', 'Enter');
  await expect(page).toHaveURL('/merchants/list');
  await keys.push(page.getByRole('button', { name: 'Close tabs' }));
  await keys.push(page.getByRole('menuitem', { name: 'Close others' }), 'ArrowDown');
  const ask = page.getByRole('dialog');
  await expect(ask).toContainText('Close 2 tabs?');
  await keys.push(ask.getByRole('button', { name: 'Close them' }));
  await expect(shell.tabs).toHaveText(['Home', 'Merchants']);
});

test('scrolls to columns outside a narrow window, and the focus stays visible', async ({ as }) => {
  const page = await as('superadmin', { viewport: { width: 620, height: 844 } });
  const keys = new Keyboard(page);
  await page.goto('/fundRecord/settlement');
  const table = page.locator('table[tabindex]');
  await keys.goTo(table);
  await expect(page.locator('[aria-busy]', { has: table }).first()).toHaveCSS('outline-style', 'solid');
  const scrolled = () => table.evaluate(({ parentElement }) => parentElement!.scrollLeft);
  expect(await scrolled()).toBe(0);
  await keys.press('ArrowRight', 'ArrowRight');
  await expect.poll(scrolled).toBeGreaterThan(0);
});

import type { Page } from '@playwright/test';
import { patchChain } from '@sangam/contract/endpoints/chain.ts';
import { SETTING_ENDPOINTS } from '@sangam/contract/endpoints/settings.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import type { SettingName } from '@sangam/contract/settings.ts';
import { SETTINGS } from '@sangam/contract/settings.ts';
import { approve, openRequest } from './pages/approvals.ts';
import { OrderDrawer } from './pages/order-list.ts';
import { SecondPasswordDialog, Shell } from './pages/shell.ts';
import { expect, test } from './test.ts';
import { demoUser, ownNumber } from './world/demo.ts';
import { type CreatedOrder, createOrderAs } from './world/merchant.ts';
import { newReference, type StatedAccount, statedAccountOf } from './world/monitor.ts';
import { callAs } from './world/session.ts';

const setting = (name: SettingName, value: unknown) =>
  callAs('superadmin', SETTING_ENDPOINTS.find((each) => each.name === name)!.write, { value });
const shown = (minor: number) => `+₹${(minor / 100).toLocaleString('en-IN', { minimumFractionDigits: 2 })}`;

/** An order whose payment nobody has reported yet, on an account whose bank states balances. No other order has its amount. */
async function orderToLose(leastRupees: number): Promise<{ order: CreatedOrder; account: StatedAccount }> {
  const own = ownNumber(leastRupees, TRIES);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const order = await createOrderAs({ amount: (own + tries) * 100 });
    const account = statedAccountOf(order.payParams);
    if (account) return { order, account };
  }
  throw new Error('no order came to an account whose bank states balances');
}

/** Loses the message about the order's money between two that arrive: a gap of that amount remains. */
async function loseMessage({ order, account }: Awaited<ReturnType<typeof orderToLose>>, balance: number) {
  await account.tells(31_00, balance);
  await account.tells(32_00, balance + order.payParams.payableAmount + 32_00);
  return shown(order.payParams.payableAmount);
}

const TRIES = 10;

const gapRow = (page: Page, sum: string, state: string) =>
  page.getByRole('row').filter({ hasText: sum }).filter({ hasText: state });

async function openPatch(page: Page, sum: string) {
  await gapRow(page, sum, 'Open')
    .getByRole('button', { name: /^Actions of/ })
    .click();
  await page.getByRole('menuitem', { name: 'Patch gap' }).click();
  return page.getByRole('dialog', { name: 'Patch gap' });
}

test('the leak checker proposes an order that explains a gap; a person applies the proposal with a reason', async ({
  as,
  complaints,
}) => {
  complaints.expectOf(patchChain.path);
  const { sbLeakCheckInterval: _, ...parameters } = SETTINGS.SecurityFreqParameters.fallback;
  await setting('SecurityFreqParameters', { ...parameters, sbLeakCheckInterval: 1 });
  try {
    // Within the amount that one person may decide alone in a day.
    const first = await orderToLose(4_000);
    const sum = await loseMessage(first, 5_000_000_00);
    const page = await as('superadmin');
    // The leak checker proposes the one order whose amount equals the gap.
    await expect(async () => {
      await page.goto('/securityNodes/security-patch-list?s=open');
      await expect(gapRow(page, sum, 'proposed')).toContainText(first.order.orderCode, { timeout: 10_000 });
    }).toPass();
    const dialog = await openPatch(page, sum);
    await expect(dialog.getByRole('checkbox', { name: first.order.orderCode })).toBeChecked();
    await expect(dialog.getByRole('status')).toContainText(`Chosen: ${sum}`);
    await expect(dialog.getByRole('status')).toContainText(/Still missing: \+?₹0/);
    const utr = newReference();
    await dialog.getByLabel(`UTR ${first.order.orderCode}`).fill(utr);
    await dialog.getByLabel('Reason').fill('Seen in the bank’s statement');
    await dialog.getByRole('button', { name: 'Patch gap' }).click();
    await new SecondPasswordDialog(page).answer(demoUser('superadmin').payPassword);
    await expect(dialog).toBeHidden();
    await page.goto('/securityNodes/security-patch-list');
    await expect(gapRow(page, sum, 'Patched')).toContainText('in force');
    await page.goto(`/order/list?open=${first.order.orderCode}`);
    await expect(new OrderDrawer(page, first.order.orderCode).drawer).toContainText(utr);
  } finally {
    await setting('SecurityFreqParameters', SETTINGS.SecurityFreqParameters.fallback);
  }
});

test('a patch of more orders than the limit waits for a second person', async ({ as, complaints }) => {
  complaints.expectOf(patchChain.path);
  complaints.expectOf(decide.path);
  try {
    await setting('FixSecurityChainSupplementLimit', 0);
    const second = await orderToLose(40_000);
    const nextSum = await loseMessage(second, 7_000_000_00);
    const page = await as('superadmin');
    const nextUtr = newReference();
    await page.goto('/securityNodes/security-patch-list?s=open');
    const asked = await openPatch(page, nextSum);
    await asked.getByLabel('Kind').click();
    await page.getByTitle('Supplemented orders', { exact: true }).last().click();
    await asked.getByRole('checkbox', { name: second.order.orderCode }).check();
    await asked.getByLabel(`UTR ${second.order.orderCode}`).fill(nextUtr);
    await asked.getByLabel('Reason').fill('The payer’s receipt');
    await asked.getByRole('button', { name: 'Patch gap' }).click();
    await new SecondPasswordDialog(page).answer(demoUser('superadmin').payPassword);
    await expect(asked).toBeHidden();
    await expect(new Shell(page).notice(/approv/i)).toBeVisible();
    await expect(gapRow(page, nextSum, 'Open')).toBeVisible();

    const decider = await as('admin');
    await openRequest(decider, /Chain patch/, 'Chain patch');
    await approve(decider, 'Chain patch', 'admin');
    await page.goto('/securityNodes/security-patch-list');
    await expect(gapRow(page, nextSum, 'Patched')).toContainText('in force');
    await page.goto(`/order/list?open=${second.order.orderCode}`);
    await expect(new OrderDrawer(page, second.order.orderCode).drawer).toContainText(nextUtr);
  } finally {
    await setting('FixSecurityChainSupplementLimit', SETTINGS.FixSecurityChainSupplementLimit.fallback);
  }
});

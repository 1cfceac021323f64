import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { CashierPage } from './pages/cashier-page.ts';
import { OrderDrawer, OrderList } from './pages/order-list.ts';
import { Shell } from './pages/shell.ts';
import { SignInPage } from './pages/sign-in-page.ts';
import { expect, test } from './test.ts';
import { createOrderAs } from './world/merchant.ts';
import { bankReports } from './world/monitor.ts';

async function expectAccessible(page: Page, part?: string): Promise<void> {
  const axe = new AxeBuilder({ page });
  const { violations } = await (part ? axe.include(part) : axe).analyze();
  const grave = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
  expect(grave).toEqual([]);
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test('sign-in', async ({ page }) => {
      const signIn = new SignInPage(page);
      await signIn.open();
      await expect(signIn.heading).toBeVisible();
      await expectAccessible(page);
    });

    test('home', async ({ as }) => {
      const page = await as('admin');
      await page.goto('/home');
      await expect(page.getByRole('region', { name: 'INR' })).toBeVisible();
      await expect(new Shell(page).heading).toBeVisible();
      await expectAccessible(page);
    });

    test('order list and drawer', async ({ as }) => {
      const { orderCode, payParams } = await createOrderAs();
      await bankReports(payParams);
      const page = await as('admin');
      const list = new OrderList(page);
      // Fifty rows are no less accessible than twenty.
      await list.open('/order/list?n=20');
      await expect(list.row(orderCode)).toBeVisible();
      await expectAccessible(page);
      await list.row(orderCode).getByTitle(orderCode).click();
      const drawer = new OrderDrawer(page, orderCode);
      await drawer.section('Allocation explained').getByRole('button', { name: 'Explain' }).click();
      await expect(drawer.section('Allocation explained').getByRole('table')).toBeVisible();
      await expectAccessible(page, '[role=dialog]');
    });

    for (const [account, path] of [
      ['superadmin', '/order/profile'],
      ['superadmin', '/messageTemplate'],
      ['superadmin', '/setting/banks'],
      ['superadmin', '/setting/monitorScriptInfo'],
      ['superadmin', '/monitorLog/monitorLog'],
      ['superadmin', '/fundRecord/settlement'],
      ['superadmin', '/fundRecord/verify'],
      ['merchant1', '/order/test/merchant'],
    ] as const)
      test(path, async ({ as }) => {
        const page = await as(account);
        await page.goto(path);
        await expect(new Shell(page).heading).toBeVisible();
        await page.waitForLoadState('networkidle');
        for (const tab of await page.locator('.ant-tabs-tab').all()) await tab.click();
        await expectAccessible(page);
      });

    test('cashier, before and after the payment', async ({ page }) => {
      await page.setViewportSize({ width: 390, height: 844 });
      const { payUrl, payParams } = await createOrderAs();
      const cashier = new CashierPage(page);
      await page.goto(payUrl);
      await expect(cashier.qrCode).toBeVisible();
      await expectAccessible(page);
      await bankReports(payParams);
      await expect(cashier.paid).toBeVisible();
      await expectAccessible(page);
    });
  });
}

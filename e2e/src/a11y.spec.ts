import type { Page } from '@playwright/test';
import { accessibilityFaults } from './inspect/accessible.ts';
import { CashierPage } from './pages/cashier-page.ts';
import { OrderDrawer, OrderList } from './pages/order-list.ts';
import { SignInPage } from './pages/sign-in-page.ts';
import { expect, test } from './test.ts';
import { createOrderAs } from './world/merchant.ts';
import { bankReports } from './world/monitor.ts';

/** roles.spec.ts checks the screens. This file checks pages and dialogs that are no screens. */
async function expectAccessible(page: Page, part?: string): Promise<void> {
  expect(await accessibilityFaults(page, part ? { part } : {})).toEqual([]);
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

    test('order drawer', async ({ as }) => {
      const { orderCode, payParams } = await createOrderAs();
      await bankReports(payParams);
      const page = await as('admin');
      const list = new OrderList(page);
      await list.open('/order/list?n=20');
      await list.row(orderCode).getByTitle(orderCode).click();
      const drawer = new OrderDrawer(page, orderCode);
      await drawer.section('Allocation explained').getByRole('button', { name: 'Explain' }).click();
      await expect(drawer.section('Allocation explained').getByRole('table')).toBeVisible();
      await expectAccessible(page, '[role=dialog]');
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

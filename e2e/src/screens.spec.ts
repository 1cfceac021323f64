// For people to look at, not for machines to judge: every built screen as a picture. Does nothing in a normal run.
//   SCREENS_DIR=/tmp/screens [SCREENS_ACCOUNTS=admin,merchant1] [SCREENS_SIZES=1440x900,390x844] [SCREENS_THEMES=light,dark]
//   [SCREENS_LANGUAGES=en-US,zh-CN] [SCREENS_README=1] node node_modules/@playwright/test/cli.js test -c e2e/playwright.config.ts screens
// SCREENS_README=1 draws docs/pictures/order-list.png too.
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { LOCALES } from '@sangam/contract/locale.ts';
import { mayOpen, SCREENS } from '@sangam/contract/screens.ts';
import { OrderDrawer, OrderList, SupplementDialog } from './pages/order-list.ts';
import { Shell } from './pages/shell.ts';
import { SignInPage } from './pages/sign-in-page.ts';
import { expect, test } from './test.ts';
import { demoUser } from './world/demo.ts';
import { createOrderAs, type CreatedOrder } from './world/merchant.ts';
import { bankReports } from './world/monitor.ts';

const folder = process.env['SCREENS_DIR'];
const MINUTE = 60_000;
const README_PICTURE = fileURLToPath(new URL('../../docs/pictures/order-list.png', import.meta.url));
const README_BYTES = 300_000;

const listOf = (name: string, fallback: string) => (process.env[name] || fallback).split(',');
const sizes = listOf('SCREENS_SIZES', '1440x900,390x844').map((size) => {
  const [width = 0, height = 0] = size.split('x').map(Number);
  return { width, height };
});
const themes = listOf('SCREENS_THEMES', 'light,dark').map((theme) => (theme === 'dark' ? 'dark' : 'light'));
const languages = LOCALES.filter((locale) => listOf('SCREENS_LANGUAGES', 'en-US').includes(locale));

/** Takes a picture once the page has stopped changing. Endless animations are not awaited. */
async function picture(page: Page, name: string): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every((each) => each.playState !== 'running' || each.effect?.getComputedTiming().endTime === Infinity),
  );
  mkdirSync(folder!, { recursive: true });
  await page.screenshot({ path: join(folder!, `${name}.png`) });
}

const idle = (page: Page) => page.waitForLoadState('networkidle');

/** Orders in every interesting state, so that the pictures show something. */
async function makeOrders(notifyUrl: string): Promise<CreatedOrder> {
  for (const amount of [649_00, 2_499_00, 7_200_00]) {
    const { payParams } = await createOrderAs({ amount, notifyUrl, merchant: 'merchant2' });
    await bankReports(payParams);
  }
  await createOrderAs({ amount: 899_00 });
  await createOrderAs({ amount: 1_500_00, productId: 1012 });
  const paid = await createOrderAs({ amount: 3_150_00, notifyUrl });
  await bankReports(paid.payParams);
  await createOrderAs({ amount: 5_000_00, merchant: 'merchant2' });
  return paid;
}

if (folder) {
  for (const viewport of sizes) {
    for (const colorScheme of themes) {
      for (const language of languages) {
        const look = `${viewport.width}-${colorScheme}-${language}`;
        const start = async (page: Page) =>
          page.addInitScript((locale) => {
            localStorage.setItem('sangam.language', locale);
            localStorage.setItem('sangam.cashier.locale', locale);
          }, language);

        test.describe(look, () => {
          test.use({ viewport, colorScheme });
          test.setTimeout(2 * MINUTE);

          test('public pages', async ({ page, complaints }) => {
            complaints.expectOf('/v1.0/');
            await start(page);
            const signIn = new SignInPage(page);
            await signIn.open();
            await idle(page);
            await picture(page, `${look}-login`);
            const { payUrl, payParams } = await createOrderAs({
              amount: 1_250_00,
              subject: 'Brass lamp, two pieces',
            });
            await page.goto(payUrl);
            // Found by role: the text differs by language.
            await expect(page.getByRole('img')).toBeVisible();
            await picture(page, `${look}-cashier`);
            await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
            await picture(page, `${look}-cashier-below`);
            await bankReports(payParams);
            await expect(page.locator('.outcome')).toBeVisible();
            await picture(page, `${look}-cashier-paid`);
            await page.goto('/pay/AAAAAAAAAAAAAAAAAAAAAAAAAAAA');
            await expect(page.locator('.outcome')).toBeVisible();
            await picture(page, `${look}-cashier-unknown`);
          });

          for (const account of listOf('SCREENS_ACCOUNTS', 'superadmin,admin,service,supplier1,merchant1')) {
            test(account, async ({ as, merchantEndpoint, complaints }) => {
              complaints.expectOf('/v1.0/');
              const paid = await makeOrders(merchantEndpoint.url);
              const page = await as(account);
              await start(page);
              const { role } = demoUser(account);
              for (const screen of SCREENS) {
                if (screen.roles === 'public' || !mayOpen(role, screen)) continue;
                await page.goto(screen.path);
                await expect(new Shell(page).heading).toBeVisible();
                await idle(page);
                await picture(page, `${look}-${account}${screen.path.replaceAll('/', '-')}`);
                if (screen.area !== 'collectionOrders' || screen.variant === 'team') continue;
                await page.goto(`${screen.path}?open=${paid.orderCode}`);
                const { drawer } = new OrderDrawer(page, paid.orderCode);
                await expect(drawer).toBeVisible();
                await idle(page);
                await picture(page, `${look}-${account}${screen.path.replaceAll('/', '-')}-drawer`);
              }
            });
          }

          test('dialogs', async ({ as, complaints }) => {
            test.skip(language !== 'en-US', 'the page objects speak English');
            complaints.expectOf('/v1.0/');
            const { orderCode } = await createOrderAs();
            const page = await as('admin');
            await start(page);
            const list = new OrderList(page);
            await list.open(`/order/list?o=${orderCode}`);
            await list.act(orderCode, 'Supplement');
            const { dialog } = new SupplementDialog(page);
            await expect(dialog).toBeVisible();
            await picture(page, `${look}-supplement`);
            await new SupplementDialog(page).confirm('123456789012');
            await expect(page.getByRole('dialog', { name: 'Second-level password' })).toBeVisible();
            await picture(page, `${look}-second-password`);
            await page.goto('/internationalCardToCard/list-admin');
            await page
              .getByRole('button', { name: /: open, close or change$/ })
              .first()
              .click();
            await expect(page.getByRole('switch', { name: 'Takes new orders' })).toBeEnabled();
            await picture(page, `${look}-account-switch`);
            await page.goto('/order/list');
            await page
              .getByRole('button', { name: viewport.width < 768 ? 'Filters' : 'More filters', exact: true })
              .click();
            await picture(page, `${look}-more-filters`);
          });
        });
      }
    }
  }
}

if (process.env['SCREENS_README']) {
  test('the picture of the README', async ({ as, merchantEndpoint }) => {
    const page = await as('admin', { viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
    const list = new OrderList(page);
    await list.open();
    const paid = await makeOrders(merchantEndpoint.url);
    await expect(list.row(paid.orderCode)).toContainText('Callback succeeded');
    // The cards are loaded less often than the rows.
    await expect(list.statusCard('Allocated')).toContainText(/Allocated\s*[1-9]/, { timeout: 20_000 });
    await idle(page);
    mkdirSync(fileURLToPath(new URL('.', `file://${README_PICTURE}`)), { recursive: true });
    await page.screenshot({ path: README_PICTURE });
    expect(statSync(README_PICTURE).size).toBeLessThan(README_BYTES);
  });
}

import { getDetail } from '@sangam/contract/endpoints/order.ts';
import { Shell } from './pages/shell.ts';
import { expect, test } from './test.ts';

const LANGUAGES = [
  {
    name: '简体中文',
    tag: 'zh-CN',
    screen: '代收订单',
    status: '已超时',
    notFound: '未找到',
  },
  {
    name: '繁體中文',
    tag: 'zh-TW',
    screen: '代收訂單',
    status: '已逾時',
    notFound: '查無資料',
  },
  {
    name: 'English',
    tag: 'en-US',
    screen: 'Collection orders',
    status: 'Timed out',
    notFound: 'Not found',
  },
] as const;

test('menu, titles, statuses and the server follow the language, also after a reload', async ({
  as,
  complaints,
}) => {
  complaints.expectOf(getDetail.path);
  const page = await as('admin');
  const shell = new Shell(page);
  await page.goto('/order/list?s=2');
  await expect(shell.heading).toHaveText('Collection orders');

  for (const { name, tag, screen, status, notFound } of LANGUAGES) {
    await shell.chooseLanguage(name);
    await expect(shell.heading).toHaveText(screen);
    // No order has the code 1, so the drawer shows the server's own text.
    await page.goto('/order/list?s=2&open=1');
    await expect(shell.heading).toHaveText(screen);
    await expect(shell.menu.getByRole('menuitem', { name: screen })).toBeVisible();
    await expect(shell.tabs.filter({ hasText: screen })).toBeVisible();
    await expect(page).toHaveTitle(`${screen} · Sangam`);
    await expect(page.locator('html')).toHaveAttribute('lang', tag);
    await expect(page.getByRole('row').filter({ hasText: status }).first()).toBeVisible();
    await expect(page.getByRole('dialog').getByRole('alert')).toContainText(notFound);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  }
});

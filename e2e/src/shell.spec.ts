/// <reference lib="dom" />
import { getUserOptions } from '@sangam/contract/endpoints/admin.ts';
import { sendMessage } from '@sangam/contract/endpoints/message.ts';
import { forceLogout, getSessions } from '@sangam/contract/endpoints/user.ts';
import { OrderDrawer } from './pages/order-list.ts';
import { Shell } from './pages/shell.ts';
import { expect, test } from './test.ts';
import { createOrderAs } from './world/merchant.ts';
import { bankReports } from './world/monitor.ts';
import { callAs } from './world/session.ts';

// The other tests switch animations off (playwright.config.ts); most users have them.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('a forced sign-out reaches every window at once', async ({ as, complaints }) => {
  complaints.expectOf('/v1.0/');
  const page = await as('support');
  const other = await page.context().newPage();
  await page.goto('/home');
  await other.goto('/home');
  await expect(new Shell(other).heading).toBeVisible();
  await page.waitForTimeout(1_000);
  const { list } = await callAs('superadmin', getSessions, {});
  const mine = list.filter(({ account }) => account === 'support');
  const leaves = [page, other].map(async (each) => {
    await each.waitForURL('/login', { waitUntil: 'commit' });
    return Date.now();
  });
  for (const { token } of mine) await callAs('superadmin', forceLogout, { token });
  const ended = Date.now();
  // The socket reports it: a window polls much less often than this.
  for (const left of await Promise.all(leaves)) expect(left - ended).toBeLessThan(10_000);
  for (const each of [page, other]) {
    await expect(each.getByRole('alert')).toHaveText('Session expired; please sign in again');
  }
});

test('a new order rings in one of two windows, repeats while unseen, and stops once seen', async ({ as }) => {
  const page = await as('admin');
  // Counts calls of the browser's audio: one ring starts two tones.
  await page.context().addInitScript(() => {
    const start = OscillatorNode.prototype.start;
    Object.assign(window, { tones: 0 });
    OscillatorNode.prototype.start = function (...when) {
      (window as unknown as { tones: number }).tones += 1;
      return start.apply(this, when);
    };
  });
  const other = await page.context().newPage();
  const windows = [page, other];
  for (const each of windows) {
    await each.goto('/home');
    await expect(new Shell(each).heading).toBeVisible();
    await each.locator('body').click({ position: { x: 700, y: 5 } });
  }
  const rings = async () => {
    const tones = await Promise.all(
      windows.map((each) => each.evaluate(() => (window as unknown as { tones: number }).tones)),
    );
    return tones.reduce((sum, count) => sum + count, 0) / 2;
  };
  await page.waitForTimeout(1_500);
  expect(await rings()).toBe(0);
  await createOrderAs();
  const notice = page.getByRole('alert').filter({ hasText: /new orders?/ });
  await expect(notice).toBeVisible();
  await expect.poll(rings).toBe(1);
  await expect.poll(rings, { timeout: 8_000 }).toBe(2);
  // The notice is repeated while unseen, and stays on the screen all the time.
  for (const until = Date.now() + 8_000; Date.now() < until; await page.waitForTimeout(250))
    expect(await notice.isVisible()).toBe(true);
  await notice.getByRole('button', { name: 'Got it' }).click();
  await expect(notice).toBeHidden();
  const heard = await rings();
  await page.waitForTimeout(5_500);
  expect(await rings()).toBe(heard);
});

test('the tab menu acts on the clicked tab, closing many tabs asks once, and a reload restores the tabs', async ({
  as,
}) => {
  const page = await as('admin');
  const shell = new Shell(page);
  for (const path of ['/order/list', '/merchants/list', '/supplier/list', '/message_page']) {
    await page.goto(path);
    await expect(shell.tabs.last()).toHaveAttribute('aria-selected', 'true');
  }
  const names = ['Home', 'Collection orders', 'Merchants', 'Suppliers', 'Message centre'];
  await expect(shell.tabs).toHaveText(names);

  const choose = async (tab: string, choice: string) => {
    await shell.tabs.filter({ hasText: tab }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: choice }).click();
  };
  const ask = page.getByRole('dialog');
  await choose('Merchants', 'Close to the right');
  await expect(ask).toContainText('Close 2 tabs?');
  await ask.getByRole('button', { name: 'Cancel' }).click();
  await expect(shell.tabs).toHaveText(names);
  // A closing dialog would take the press that is meant for the next one.
  await expect(ask).toHaveCount(0);
  await choose('Suppliers', 'Close others');
  await expect(ask).toContainText('Close 3 tabs?');
  await ask.getByRole('button', { name: 'Close them' }).click();
  await expect(shell.tabs).toHaveText(['Home', 'Suppliers']);
  await expect(page).toHaveURL('/supplier/list');
  // A closing dialog still moves the focus.
  await expect(ask).toHaveCount(0);
  await shell.tabs.filter({ hasText: 'Suppliers' }).press('Delete');
  await expect(page).toHaveURL('/home');

  for (const path of ['/order/list', '/merchants/list']) {
    await page.goto(path);
    await expect(shell.tabs.last()).toHaveAttribute('aria-selected', 'true');
  }
  await choose('Collection orders', 'Close all');
  await expect(ask).toContainText('Close 2 tabs?');
  await ask.getByRole('button', { name: 'Close them' }).click();
  await expect(shell.tabs).toHaveText(['Home']);
  await expect(page).toHaveURL('/home');
});

test('the palette opens an order by its UTR, and screens by name', async ({ as }) => {
  const order = await createOrderAs();
  const utr = `7${String(Date.now()).slice(-11)}`;
  await bankReports(order.payParams, { reference: utr });
  const page = await as('service');
  await page.goto('/home');
  await expect(new Shell(page).heading).toBeVisible();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog');
  await palette.getByRole('combobox').fill(utr);
  await palette.getByRole('option', { name: order.mchOrderNo }).click();
  await expect(page).toHaveURL(new RegExp(`open=${order.orderCode}`));
  await expect(new OrderDrawer(page, order.orderCode).drawer).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('merchants');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/merchants/list/customerService');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard' })).toBeVisible();
});

test('a new message shows at once, and can be read, removed and restored', async ({ as }) => {
  const page = await as('service');
  await page.goto('/message_page');
  const list = page.getByRole('list', { name: 'Unread' });
  await expect(list).toBeVisible();
  const content = `Note ${Date.now()}\nThe second line.`;
  const title = content.split('\n')[0]!;
  const { list: users } = await callAs('admin', getUserOptions, { role: 'customerService' });
  const { id } = users.find(({ account }) => account === 'service')!;
  await callAs('admin', sendMessage, { userIds: [id], roles: [], content });
  await list.getByRole('button', { name: title }).click();
  await expect(page.getByRole('article')).toContainText('The second line.');
  await expect(list.getByRole('button', { name: title })).toBeHidden();
  await page.getByRole('button', { name: /^Read/ }).click();
  const rowIn = (folder: string) =>
    page.getByRole('list', { name: folder }).getByRole('listitem').filter({ hasText: title });
  await rowIn('Read').getByRole('button', { name: 'Move to trash' }).click();
  await page.getByRole('button', { name: /^Trash/ }).click();
  await rowIn('Trash').getByRole('button', { name: 'Restore' }).click();
  await expect(rowIn('Trash')).toBeHidden();
  await page.getByRole('button', { name: /^Read/ }).click();
  await expect(rowIn('Read')).toBeVisible();
});

test('an error is recorded, shown by a dot, listed and saved as a file', async ({ as, complaints }) => {
  complaints.expectOf('/order/list');
  const page = await as('service');
  const shell = new Shell(page);
  await page.goto('/merchants/list/customerService');
  await expect(shell.heading).toBeVisible();
  const words = `broken on purpose ${Date.now()}`;
  await page.evaluate((text) => {
    dispatchEvent(new ErrorEvent('error', { error: new Error(text), message: text }));
  }, words);
  await page.getByRole('button', { name: 'New errors' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'broken on purpose' }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'New errors' })).toBeHidden();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  expect((await download).suggestedFilename()).toMatch(/\.csv$/);
});

test('a screen is found by its name, and pinned to the top of the menu until it is removed', async ({
  as,
}) => {
  const page = await as('superadmin');
  const shell = new Shell(page);
  await page.goto('/home');
  await shell.find('pay gate');
  await expect(shell.heading).toHaveText('Pay gateways');
  await page.getByRole('button', { name: 'Pin to the menu' }).click();
  await page.goto('/home');
  const pinned = shell.menu.getByRole('menuitem', { name: 'Pay gateways' });
  await pinned.first().click();
  await expect(shell.heading).toHaveText('Pay gateways');
  await page.getByRole('button', { name: 'Remove from pinned' }).click();
  await expect(pinned).toHaveCount(1);
});

test('the menu scrolls to the current screen', async ({ as }) => {
  const page = await as('superadmin', { viewport: { width: 1280, height: 480 } });
  const shell = new Shell(page);
  await page.goto('/payGatewayConfig');
  await expect(shell.menu.getByRole('menuitem', { name: 'Pay gateways' })).toBeInViewport({ ratio: 1 });
  await shell.visit('/merchants/list');
  await expect(shell.menu.getByRole('menuitem', { name: 'Merchants' })).toBeInViewport({ ratio: 1 });
});

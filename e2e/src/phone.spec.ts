/// <reference lib="dom" />
import { sql } from '@sangam/server/platform/db/database.ts';
import { claimOrder, getPayoutDetail, reject } from '@sangam/contract/endpoints/payout.ts';
import { getPayoutBatchDetail, getPayoutBatchList } from '@sangam/contract/endpoints/payout-batch.ts';
import type { Locator, Page } from '@playwright/test';
import { accessibilityFaults } from './inspect/accessible.ts';
import { layoutFaults } from './inspect/layout.ts';
import { OrderDrawer } from './pages/order-list.ts';
import { PATH, PHONE, untilKept } from './pages/phone.ts';
import { SecondPasswordDialog } from './pages/shell.ts';
import { SignInPage } from './pages/sign-in-page.ts';
import { expect, test } from './test.ts';
import { demoUser } from './world/demo.ts';
import { unusedCode } from './world/google-code.ts';
import { createPayoutAs, createUpiPayoutAs } from './world/merchant.ts';
import { inDatabase } from './world/database.ts';
import { newReference } from './world/monitor.ts';
import { callAs } from './world/session.ts';

const LEAST_TARGET = 44;

/** Taps like a thumb, and counts the taps. */
class Thumb {
  taps = 0;

  async tap(target: Locator): Promise<void> {
    this.taps += 1;
    await target.tap();
  }
}

const card = (page: Page, orderCode: string) => page.locator(`li[data-row="${orderCode}"]`);

/** A picture in a format that only the phone reads; the app sends a JPEG. */
async function receipt(page: Page) {
  const address = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 540, height: 960 });
    const pen = canvas.getContext('2d')!;
    pen.fillStyle = '#fff';
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.fillStyle = '#111';
    pen.font = '40px sans-serif';
    pen.fillText('Paid to Asha Rao', 40, 120);
    return canvas.toDataURL('image/webp');
  });
  return {
    name: 'receipt.webp',
    mimeType: 'image/webp',
    buffer: Buffer.from(address.split(',')[1]!, 'base64'),
  };
}

async function smallTargets(within: Locator): Promise<string[]> {
  const targets = await within
    .locator('button:visible, a[href]:visible, input:visible, summary:visible')
    .all();
  const small: string[] = [];
  for (const target of targets) {
    const { height } = (await target.boundingBox())!;
    if (height < LEAST_TARGET) small.push(`${await target.innerText()}: ${height}`);
  }
  return small;
}

test('a payout is claimed, paid and confirmed on a phone in seven taps', async ({ as, complaints }) => {
  complaints.expectOf(claimOrder.path);
  const orderCode = await createUpiPayoutAs();
  const page = await as('supplier1', PHONE);
  const thumb = new Thumb();
  await page.goto(PATH);
  await expect(card(page, orderCode)).toContainText('₹');
  await expect(card(page, orderCode)).toContainText('Commission');
  await expect(card(page, orderCode)).not.toContainText('asha.rao@okaxis');

  await thumb.tap(card(page, orderCode).getByRole('button', { name: 'Claim' }));
  const second = page.getByRole('dialog', { name: 'Second-level password' });
  await thumb.tap(second.getByLabel('Password', { exact: true }));
  await second.getByLabel('Password', { exact: true }).fill(demoUser('supplier1').payPassword);
  await thumb.tap(second.getByRole('button', { name: 'Confirm' }));
  const sheet = page.getByRole('dialog', { name: `Payout ${orderCode}` });
  await expect(sheet.getByRole('timer')).toHaveText(/^\d+:\d\d$/);
  const openUpi = sheet.getByRole('link', { name: 'Open UPI app' });
  await expect(openUpi).toHaveAttribute(
    'href',
    /^upi:\/\/pay\?pa=asha\.rao@okaxis&pn=Asha%20Rao&am=\d+\.\d\d&cu=INR/,
  );
  await thumb.tap(sheet.getByRole('button', { name: 'Copy all' }));
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('VPA: asha.rao@okaxis');
  // The payment happens in the bank's own app. Here the supplier says from which account it paid, and types the reference.
  await thumb.tap(sheet.getByRole('radio', { name: 'ICICI 9771' }));
  const field = sheet.getByLabel('UTR', { exact: true });
  await thumb.tap(field);
  await field.fill(newReference());
  await thumb.tap(sheet.getByRole('button', { name: 'Confirm paid' }));
  await expect(sheet).toBeHidden();
  const { order } = await callAs('supplier1', getPayoutDetail, { orderCode });
  expect(order).toMatchObject({
    orderStatusId: 3,
    unproven: true,
    payingAccount: { name: 'ICICI 9771' },
    slips: 0,
  });
  expect(thumb.taps).toBeLessThanOrEqual(7);
});

test('a slip whose upload broke off is sent again and kept once; the desk sees it with the paying account', async ({
  as,
  complaints,
}) => {
  complaints.expectOf('/v1.0/');
  const orderCode = await createUpiPayoutAs();
  const page = await as('supplier1', PHONE);
  await page.goto(PATH);
  await card(page, orderCode).getByRole('button', { name: 'Claim' }).tap();
  await new SecondPasswordDialog(page).answer(demoUser('supplier1').payPassword);
  const sheet = page.getByRole('dialog', { name: `Payout ${orderCode}` });
  await sheet.getByRole('radio', { name: 'HDFC 3829' }).tap();
  await sheet.getByLabel('UTR', { exact: true }).fill(newReference());
  await page.context().setOffline(true);
  await sheet.getByLabel("Add the bank's receipt").setInputFiles(await receipt(page));
  const problem = sheet.getByRole('alert');
  await expect(problem).toContainText('did not answer');
  await page.context().setOffline(false);
  const confirm = sheet.getByRole('button', { name: 'Confirm paid' });
  await confirm.tap();
  await expect(problem.last()).toContainText('not been sent yet');
  expect(await layoutFaults(page)).toEqual([]);
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await smallTargets(sheet)).toEqual([]);
  await sheet.getByRole('button', { name: 'Send the receipt again' }).tap();
  await expect(sheet).toContainText('Receipts added: 1');
  await expect(problem).toBeHidden();
  await confirm.tap();
  await expect(sheet).toBeHidden();

  const desk = await as('service');
  await desk.goto(`/payProxyOrder/list/customerService?open=${orderCode}`);
  const drawer = new OrderDrawer(desk, orderCode);
  await expect(drawer.drawer).toContainText('HDFC 3829');
  await expect(drawer.section('Bank receipts').getByRole('img')).toHaveCount(1);
});

test('an unusual UPI reference needs a confirmation; a claim can be given back on the phone', async ({
  as,
  complaints,
}) => {
  complaints.expectOf(claimOrder.path);
  const orderCode = await createUpiPayoutAs();
  const page = await as('supplier1', PHONE);
  await page.goto(PATH);
  await card(page, orderCode).getByRole('button', { name: 'Claim' }).tap();
  await new SecondPasswordDialog(page).answer(demoUser('supplier1').payPassword);
  const sheet = page.getByRole('dialog', { name: `Payout ${orderCode}` });
  await sheet.getByLabel('UTR', { exact: true }).fill('12345678901');
  await sheet.getByRole('button', { name: 'Confirm paid' }).tap();
  await expect(sheet.getByRole('alert')).toContainText('usually has 12 digits; this has 11');
  await sheet.getByRole('button', { name: 'Cancel claim' }).tap();
  await page
    .getByRole('dialog', { name: 'Cancel claim' })
    .getByRole('button', { name: 'Cancel claim' })
    .tap();
  await expect(sheet).toContainText('no longer yours');
  await sheet.getByRole('button', { name: 'Close' }).tap();
  await expect(card(page, orderCode).getByRole('button', { name: 'Claim' })).toBeVisible();
});

test('a payout whose claim ran out, or whose return was requested, says so and does not offer payment', async ({
  as,
  complaints,
}) => {
  complaints.expectOf(claimOrder.path);
  complaints.expectOf(reject.path);
  const orderCode = await createUpiPayoutAs();
  const page = await as('supplier1', PHONE);
  await page.goto(PATH);
  await card(page, orderCode).getByRole('button', { name: 'Claim' }).tap();
  await new SecondPasswordDialog(page).answer(demoUser('supplier1').payPassword);
  const sheet = page.getByRole('dialog', { name: `Payout ${orderCode}` });
  await expect(sheet.getByRole('timer')).toBeVisible();
  // Only a claim that ran out may have been paid, so only that asks for a second person.
  await inDatabase((db) =>
    db.query(
      sql`update payout_orders set claimed_until = now() - interval '1 second' where id = ${BigInt(orderCode)}`,
    ),
  );
  await expect
    .poll(async () => (await callAs('supplier1', getPayoutDetail, { orderCode })).order.orderStatusId)
    .toBe(7);
  const notice = (text: string) => sheet.getByRole('status').filter({ hasText: text });
  await expect(notice('It may have been paid.')).toBeVisible();
  await expect(sheet.getByRole('link', { name: 'Open UPI app' })).toBeHidden();
  await sheet.getByRole('button', { name: 'Reject' }).tap();
  const asking = page.getByRole('dialog', { name: 'Reject' });
  await asking.getByLabel('Reason').fill('Not paid');
  await asking.getByRole('button', { name: 'Reject' }).tap();
  await expect(asking.getByRole('status')).toContainText('approval');
  await asking.getByRole('button', { name: 'Close' }).tap();
  const waits = 'A second person decides whether it is given back.';
  await expect(notice(waits)).toBeVisible();
  await expect(sheet.getByRole('button', { name: 'Reject' })).toBeHidden();
  await sheet.getByRole('button', { name: 'Close' }).tap();
  await page.getByRole('button', { name: /^Mine/ }).tap();
  await expect(card(page, orderCode)).toContainText(waits);
  await expect(card(page, orderCode).getByRole('button', { name: 'Pay' })).toBeHidden();
  const open = card(page, orderCode).getByRole('button', { name: 'Open' });
  await open.tap();
  await sheet.getByRole('button', { name: 'Close' }).tap();
  await expect(open).toBeFocused();
  expect(await layoutFaults(page)).toEqual([]);
  expect(await accessibilityFaults(page)).toEqual([]);
});

test('a payout in a bank batch is not offered for payment on the phone', async ({ as }) => {
  const orderCode = await createPayoutAs();
  await callAs('supplier1', claimOrder, { orderId: orderCode });
  const { list } = await callAs('supplier1', getPayoutBatchList, { status: 'sent' });
  const { orders } = await callAs('supplier1', getPayoutBatchDetail, { batchId: list.at(-1)!.batchId });
  const open = orders.filter(({ state }) => state === 'pending');
  expect(open.length).toBeGreaterThan(0);
  const page = await as('supplier1', PHONE);
  await page.goto(PATH);
  await page.getByRole('button', { name: /^Mine/ }).tap();
  await expect(card(page, orderCode)).toBeVisible();
  for (const each of open) await expect(card(page, each.orderCode)).toHaveCount(0);
});

test('cards and claim fit 360 pixels in both themes, have large enough targets and are accessible', async ({
  as,
  complaints,
}) => {
  complaints.expectOf(claimOrder.path);
  const [bank, upi] = [await createPayoutAs(), await createUpiPayoutAs()];
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await as('supplier1', { ...PHONE, colorScheme });
    await page.goto(PATH);
    const list = page.getByRole('main', { name: 'Payouts' });
    const orderCode = colorScheme === 'light' ? bank : upi;
    await expect(card(page, orderCode)).toBeVisible();
    expect(await layoutFaults(page)).toEqual([]);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await smallTargets(list)).toEqual([]);
    await card(page, orderCode).getByRole('button', { name: 'Claim' }).tap();
    await new SecondPasswordDialog(page).answer(demoUser('supplier1').payPassword);
    const sheet = page.getByRole('dialog', { name: `Payout ${orderCode}` });
    await expect(sheet.getByRole('timer')).toBeVisible();
    if (orderCode === upi) {
      await sheet.getByText('UPI QR code').tap();
      await expect(sheet.getByRole('img', { name: 'UPI QR code' })).toBeVisible();
    }
    expect(await layoutFaults(page)).toEqual([]);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await smallTargets(sheet)).toEqual([]);
    await sheet.getByRole('button', { name: 'Close' }).tap();
    await page.getByRole('button', { name: /^Mine/ }).tap();
    await expect(card(page, orderCode).getByRole('timer')).toBeVisible();
    await page.getByRole('button', { name: 'Menu' }).tap();
    const menu = page.getByRole('dialog');
    await menu.getByLabel('Language').selectOption('zh-TW');
    await expect(page.getByRole('main', { name: '代付' })).toBeVisible();
    expect(await layoutFaults(page)).toEqual([]);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await smallTargets(menu)).toEqual([]);
  }
});

test('the phone app signs in like the console, with a code; after sign-out no data remains on the phone', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ ...PHONE, baseURL: baseURL! });
  const page = await context.newPage();
  await page.goto(PATH);
  const { password } = demoUser('supplier1');
  await new SignInPage(page).signIn('supplier1', password, await unusedCode('supplier1'));
  await expect(page.getByRole('main', { name: 'Payouts' })).toBeVisible();
  const kept = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('kept')));
  await expect.poll(kept).toEqual(['sangam.phone.kept']);
  await page.getByRole('button', { name: 'Menu' }).tap();
  await page.getByRole('button', { name: 'Sign out' }).tap();
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  expect(await kept()).toEqual([]);
  await context.close();
});

test('without a connection the app opens, shows the last data with its time, and sends nothing', async ({
  as,
  complaints,
}) => {
  for (const path of ['/v1.0/', '/m/worker.js']) complaints.expectOf(path);
  const orderCode = await createPayoutAs();
  const page = await as('supplier1', PHONE);
  await page.goto(PATH);
  await expect(card(page, orderCode)).toBeVisible();
  await untilKept(page);
  await page.context().setOffline(true);
  await page.reload();
  const asOf = page.getByRole('status').filter({ hasText: 'As of' });
  await expect(asOf).toBeVisible();
  await card(page, orderCode).getByRole('button', { name: 'Claim' }).tap();
  await expect(page.getByRole('alert')).toContainText('did not answer');
  await page.context().setOffline(false);
  await expect(asOf).toBeHidden();
  // Nothing was sent later: the payout can still be claimed.
  await page.reload();
  await expect(card(page, orderCode).getByRole('button', { name: 'Claim' })).toBeVisible();
});

test('a new version waits until the user accepts it, and is offered behind an open claim', async ({
  as,
  complaints,
}) => {
  complaints.expectOf(claimOrder.path);
  const orderCode = await createUpiPayoutAs();
  const page = await as('supplier1', PHONE);
  await page.goto(PATH);
  await card(page, orderCode).getByRole('button', { name: 'Claim' }).tap();
  await new SecondPasswordDialog(page).answer(demoUser('supplier1').payPassword);
  const sheet = page.getByRole('dialog', { name: `Payout ${orderCode}` });
  await sheet.getByLabel('UTR', { exact: true }).fill('1234');
  await untilKept(page);
  await page.evaluate(() => navigator.serviceWorker.register('/m/worker.js?next', { scope: '/m/' }));
  const news = page.getByText('A new version is out');
  await expect(news).toBeAttached();
  await expect(sheet.getByLabel('UTR', { exact: true })).toHaveValue('1234');
  await sheet.getByRole('button', { name: 'Close' }).tap();
  await Promise.all([
    page.waitForEvent('load'),
    page.getByRole('button', { name: 'Reload', exact: true }).tap(),
  ]);
  await expect(page.getByRole('main', { name: 'Payouts' })).toBeVisible();
});

test('the app can be installed: manifest, pictures and worker are there', async ({ request }) => {
  const answer = await request.get('/m/manifest.webmanifest');
  expect(answer.headers()['content-type']).toContain('application/manifest+json');
  const manifest = (await answer.json()) as { start_url: string; icons: { src: string }[] };
  for (const { src } of manifest.icons)
    expect((await request.get(src)).headers()['content-type']).toBe('image/png');
  expect((await request.get(manifest.start_url)).ok()).toBe(true);
  expect((await request.get('/m/worker.js')).headers()['content-security-policy']).toContain(
    "connect-src 'self'",
  );
});

test('a supplier on a phone is offered the app by the console', async ({ as }) => {
  const page = await as('supplier1', PHONE);
  await page.goto('/home');
  await page.getByRole('link', { name: 'Open the phone app' }).tap();
  await expect(page.getByRole('main', { name: 'Payouts' })).toBeVisible();
});

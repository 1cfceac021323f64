import { claimOrder, getPayoutDetail } from '@sangam/contract/endpoints/payout.ts';
import type { Locator, Page } from '@playwright/test';
import { accessibilityFaults } from './inspect/accessible.ts';
import { layoutFaults } from './inspect/layout.ts';
import { SecondPasswordDialog } from './pages/shell.ts';
import { expect, test } from './test.ts';
import { demoUser } from './world/demo.ts';
import { createPayoutAs, createUpiPayoutAs } from './world/merchant.ts';
import { newReference } from './world/monitor.ts';
import { callAs } from './world/session.ts';

const PHONE = {
  viewport: { width: 360, height: 740 },
  isMobile: true,
  hasTouch: true,
  permissions: ['clipboard-read', 'clipboard-write'],
};
const LEAST_TARGET = 44;
const PATH = '/payProxyOrder/list/supplier';

/** Touches as a thumb does, and counts. */
class Thumb {
  taps = 0;

  async tap(target: Locator): Promise<void> {
    this.taps += 1;
    await target.tap();
  }
}

const card = (page: Page, orderCode: string) => page.locator(`li[data-row="${orderCode}"]`);

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
  // The bank's app is opened, paid in and left by itself; here its number is typed.
  const field = sheet.getByLabel('UTR', { exact: true });
  await thumb.tap(field);
  await field.fill(newReference());
  await thumb.tap(sheet.getByRole('button', { name: 'Confirm paid' }));
  await expect(sheet).toBeHidden();
  const { order } = await callAs('supplier1', getPayoutDetail, { orderCode });
  expect(order).toMatchObject({ orderStatusId: 3, unproven: true });
  expect(thumb.taps).toBeLessThanOrEqual(7);
});

test('a UPI reference of another form is asked about; a claim is given back from the phone', async ({
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

test('cards and claim stand well at 360 pixels, in the light and in the dark, for thumbs and for readers', async ({
  as,
  complaints,
}) => {
  complaints.expectOf(claimOrder.path);
  const [bank, upi] = [await createPayoutAs(), await createUpiPayoutAs()];
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await as('supplier1', { ...PHONE, colorScheme });
    await page.goto(PATH);
    const list = page.getByRole('region', { name: 'Payout orders' });
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
    expect(await smallTargets(sheet.locator('.ant-drawer-body, .ant-drawer-footer'))).toEqual([]);
    await sheet.getByRole('button', { name: 'Close' }).tap();
    await page.getByRole('button', { name: /^Mine/ }).tap();
    await expect(card(page, orderCode).getByRole('timer')).toBeVisible();
    await page.getByRole('button', { name: 'All payouts' }).tap();
    await expect(page.getByRole('table').first()).toBeVisible();
    await page.getByRole('button', { name: 'Cards' }).tap();
    await expect(list).toBeVisible();
  }
});

import { freeResource } from '@sangam/contract/endpoints/order.ts';
import { formatMinor } from '@sangam/contract/money.ts';
import { CashierPage } from './pages/cashier-page.ts';
import { expect, test } from './test.ts';
import { createOrderAs } from './world/merchant.ts';
import { bankReports, newReference } from './world/monitor.ts';
import { callAs } from './world/session.ts';

test.use({
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
  permissions: ['clipboard-read', 'clipboard-write'],
});

test('an order is paid by UPI and the page turns to paid by itself', async ({ page, merchantEndpoint }) => {
  const { payUrl, payParams, orderCode } = await createOrderAs({
    amount: 1_250_00,
    subject: 'Brass lamp, two pieces',
    notifyUrl: merchantEndpoint.url,
  });
  const exact = formatMinor(payParams.payableAmount, 'INR');
  const cashier = new CashierPage(page);
  await page.goto(payUrl);

  await expect(cashier.main).toContainText('Brass lamp, two pieces');
  await expect(cashier.main).toContainText(`₹1,250.${exact.slice(-2)}`);
  await expect(page.getByRole('timer')).toHaveText(/^\d+:\d\d$/);
  await expect(cashier.openUpi).toHaveAttribute('href', /^upi:\/\/pay\?/);
  const link = new URL((await cashier.openUpi.getAttribute('href'))!);
  expect(link.searchParams.get('am')).toBe(exact);
  expect(link.searchParams.get('pa')).toBe(payParams.vpa);
  await expect(cashier.qrCode).toBeVisible();
  expect(await cashier.copied('amount')).toBe(exact);
  expect(await cashier.copied('UPI ID')).toBe(payParams.vpa);

  const reference = newReference();
  await cashier.utr.fill(reference.slice(1));
  await cashier.iHavePaid.click();
  await expect(cashier.main.getByRole('alert')).toContainText('This has 11 characters');
  await cashier.utr.fill(reference);
  await cashier.iHavePaid.click();
  await expect(cashier.heading('Checking your payment')).toBeVisible();
  await expect(cashier.main).toContainText(reference);
  // A payer who has paid must not be asked to pay again; the details stay available.
  await expect(cashier.main.getByText('Do not pay again')).toBeVisible();
  const shown = cashier.main.getByText(`₹1,250.${exact.slice(-2)}`, { exact: true });
  await expect(shown.filter({ visible: true })).toHaveCount(1);
  await expect(cashier.openUpi).toBeHidden();
  await cashier.main.getByText('Show the payment details again').click();
  await expect(cashier.openUpi).toBeVisible();

  await bankReports(payParams, { reference });
  await expect(cashier.paid).toBeVisible();
  await expect(cashier.main).toContainText(`₹1,250.${exact.slice(-2)}`);
  const receipt = page.locator('.receipt');
  await expect(receipt).toContainText(orderCode);
  await expect(receipt).toContainText(reference);
  await expect(receipt).toContainText(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d IST/);
  await expect(page.getByRole('button', { name: 'Save or print the receipt' })).toBeVisible();
  await expect.poll(() => merchantEndpoint.received.join('\n')).toContain(orderCode);
});

test('a bank transfer shows the account, and the message is enough without a UTR', async ({ page }) => {
  const { payUrl, payParams } = await createOrderAs({ productId: 1012, amount: 2_000_00 });
  const cashier = new CashierPage(page);
  await page.goto(payUrl);
  await expect(cashier.heading('Transfer to this account')).toBeVisible();
  expect(await cashier.copied('Account number')).toBe(payParams.accountNumber);
  expect(await cashier.copied('IFSC')).toBe(payParams.ifsc);
  await expect(cashier.openUpi).toBeHidden();
  await bankReports(payParams);
  await expect(cashier.paid).toBeVisible();
});

test('speaks five languages and remembers which', async ({ page }) => {
  const { payUrl } = await createOrderAs();
  const cashier = new CashierPage(page);
  await page.goto(payUrl);
  await expect(cashier.heading('Amount to pay')).toBeVisible();
  await cashier.chooseLanguage('简体中文');
  await expect(cashier.heading('应付金额')).toBeVisible();
  await cashier.chooseLanguage('繁體中文');
  await expect(cashier.heading('應付金額')).toBeVisible();
  await cashier.chooseLanguage('हिन्दी');
  await expect(cashier.heading('भुगतान की रकम')).toBeVisible();
  await cashier.chooseLanguage('Kiswahili');
  await expect(cashier.heading('Kiasi cha kulipa')).toBeVisible();
  await cashier.chooseLanguage('繁體中文');
  await page.reload();
  await expect(cashier.heading('應付金額')).toBeVisible();
  expect(await page.locator('html').getAttribute('lang')).toBe('zh-TW');
  await cashier.chooseLanguage('English');
  await expect(cashier.heading('Amount to pay')).toBeVisible();
});

test('after the timeout the page says not to pay, and still accepts a UTR', async ({ page }) => {
  const { payUrl, orderCode } = await createOrderAs();
  const cashier = new CashierPage(page);
  await page.goto(payUrl);
  await expect(cashier.openUpi).toBeVisible();
  await callAs('service', freeResource, { orderCode });
  await expect(cashier.heading('The time to pay is over')).toBeVisible();
  await expect(cashier.openUpi).toBeHidden();
  await expect(cashier.iHavePaid).toBeVisible();
});

test('an unknown payment link finds nothing', async ({ page, complaints }) => {
  complaints.expectOf('/v1.0/pay/');
  await page.goto('/pay/AAAAAAAAAAAAAAAAAAAAAAAAAAAA');
  await expect(new CashierPage(page).heading('Payment not found')).toBeVisible();
});

import { signFields } from '@sangam/contract/endpoints/interface-test.ts';
import { createBatch, createOrder } from '@sangam/contract/endpoints/outside.ts';
import { SETTING_ENDPOINTS } from '@sangam/contract/endpoints/settings.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import { SecondPasswordDialog } from './pages/shell.ts';
import { expect, test } from './test.ts';
import { demoUser, serverUrl } from './world/demo.ts';
import { beatAll } from './world/monitor.ts';
import { callAs, signIn } from './world/session.ts';

/** People open the demo's console at this address. The merchant API is at 127.0.0.1, which is another origin for a browser. */
const CONSOLE = serverUrl.replace('127.0.0.1', 'localhost');

/** Changes the setting, by two people, because payers are sent to this address. */
async function setApiUrl(value: string): Promise<void> {
  const { write } = SETTING_ENDPOINTS.find(({ name }) => name === 'ApiUrl')!;
  const { todoId } = (await callAs('superadmin', write, { value })) as { readonly todoId?: string };
  if (todoId) await callAs('admin', decide, { id: todoId, approve: true });
  const { headers } = await fetch(serverUrl);
  expect(headers.get('content-security-policy')).toContain(`connect-src 'self'${value && ` ${value}`};`);
}

test.afterEach(async () => {
  await setApiUrl('');
});

test('orders and batches are created under ApiUrl, at another origin than the console’s', async ({
  browser,
  complaints,
  merchantEndpoint,
}) => {
  complaints.expectOf(signFields.path);
  await beatAll();
  await setApiUrl(serverUrl);
  const context = await browser.newContext();
  await signIn(context, 'merchant1', CONSOLE);
  complaints.listenTo(context);
  const page = await context.newPage();
  await page.goto(`${CONSOLE}/order/test/merchant`);
  await page.getByRole('tab', { name: 'Create an order' }).click();
  const panel = page.getByRole('tabpanel', { name: 'Create an order' });
  await panel.getByLabel('productId').click();
  await page.getByTitle('1010 UPI').click();
  await panel.getByLabel('notifyUrl').fill(merchantEndpoint.url);
  const created = page.waitForRequest(
    (request) => request.url() === `${serverUrl}${createOrder.path}` && request.method() === 'POST',
  );
  await panel.getByRole('button', { name: 'Sign and send' }).click();
  await new SecondPasswordDialog(page).answer(demoUser('merchant1').payPassword);
  expect((await (await created).allHeaders())['cookie']).toBeUndefined();
  await expect(panel).toContainText(`POST ${serverUrl}${createOrder.path}`);
  await expect(panel).toContainText('"code": 200');

  await page.goto(`${CONSOLE}/payProxyOrder/list/merchant`);
  await page.getByRole('button', { name: 'Payouts from a file' }).click();
  const dialog = page.getByRole('dialog', { name: 'Payouts from a file' });
  const sent = page.waitForRequest(`${serverUrl}${createBatch.path}`);
  await dialog.getByLabel('Choose file').setInputFiles({
    name: 'payouts.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      `mchOrderNo,productId,amount,userName,cardNumber,ifscCode,bankName\r\nB${Date.now()},2001,40000,Asha Rao,50100123456789,HDFC0000521,HDFC Bank`,
    ),
  });
  const password = new SecondPasswordDialog(page);
  const made = dialog.getByText('1 payout made');
  await expect(password.dialog.or(made)).toBeVisible();
  if (await password.dialog.isVisible()) await password.answer(demoUser('merchant1').payPassword);
  await expect(dialog).toContainText('1 payout made');
  expect((await (await sent).allHeaders())['cookie']).toBeUndefined();
  await context.close();
});

/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { createAccount } from '@sangam/contract/endpoints/account.ts';
import { reviewKyc, submitKyc } from '@sangam/contract/endpoints/kyc.ts';
import { enableResource, getResourceList } from '@sangam/contract/endpoints/party.ts';
import {
  createPayScript,
  getPayScriptCall,
  getPayScriptCallList,
  releasePayScript,
} from '@sangam/contract/endpoints/pay-script.ts';
import { decide, getStarted } from '@sangam/contract/endpoints/todo.ts';
import type { Locator, Page } from '@playwright/test';
import { startKoshPay } from '@sangam/simulators/gateway/kosh-pay.ts';
import { approve, openRequest } from './pages/approvals.ts';
import { OrderList } from './pages/order-list.ts';
import { SecondPasswordDialog } from './pages/shell.ts';
import { expect, test } from './test.ts';
import { demoUser, ownNumber } from './world/demo.ts';
import { createOrderAs } from './world/merchant.ts';
import { callAs } from './world/session.ts';

const EXAMPLE = readFileSync(new URL('../../docs/pay-scripts/kosh-pay.js', import.meta.url), 'utf8');
const EXAMPLE_API = /http:\/\/127\.0\.0\.1:\d+/;
const HOSTED = 1030;

test('a gateway script is written, tried and released by two people, and an order is paid through it', async ({
  as,
  complaints,
  merchantEndpoint,
}) => {
  test.setTimeout(240_000);
  for (const { path } of [createPayScript, releasePayScript, decide, createAccount])
    complaints.expectOf(path);
  // Names and amounts of this try only: a retry finds the first try's script and account.
  const mark = Date.now().toString(36).toUpperCase();
  const name = `Kosh ${mark}`;
  const keys = { mchIds: [`E2E${mark}`], key: `request-${mark}`, noticeKey: `notice-${mark}` };
  // No other gateway account accepts such a high amount.
  const amount = ownNumber(60_000, 30) * 100;
  const kosh = await startKoshPay(keys);
  try {
    const code = EXAMPLE.replace(EXAMPLE_API, kosh.url);
    const author = await as('support');
    await writeScript(author, { name, code, origin: kosh.url });
    await tryScript(author, name);
    await releaseByTwo(author, await as('superadmin'), name);
    await makeAccount(await as('supplier1'), { name, mchId: keys.mchIds[0]!, amount, ...keys });

    const order = await createOrderAs({ productId: HOSTED, amount, notifyUrl: merchantEndpoint.url });
    const trade = kosh.orders.get(order.orderCode)!;
    expect(trade.amount).toBe((amount / 100).toFixed(2));
    const payer = await as('merchant1');
    await payer.goto(order.payUrl);
    await payer.getByRole('link', { name: 'Continue to payment' }).click();
    await payer.getByRole('button', { name: 'Pay' }).click();
    await expect(payer.getByText('SUCCESS')).toBeVisible();

    const desk = await as('admin');
    const list = new OrderList(desk);
    await list.open();
    await expect(list.row(order.orderCode)).toContainText('Callback succeeded');
    expect(merchantEndpoint.received.join()).toContain(order.mchOrderNo);

    await author.goto(`/dynamicPay/records?o=${order.orderCode}`);
    await author.getByRole('row', { name: `${name} v1` }).click();
    const record = author.getByRole('dialog', { name: `${name} v1 · Create order` });
    await expect(record).toContainText(`POST ${kosh.url}/order/create`);
    await expect(record).toContainText(`pay/${trade.tradeNo}`);
    await expect(record).not.toContainText(keys.key);
    const [notice] = (
      await callAs('support', getPayScriptCallList, { function: 'parseNotify', isTry: 'false' })
    ).list.filter(({ scriptName }) => scriptName === name);
    await author.goto(`/dynamicPay/records?f=parseNotify&open=${notice!.id}`);
    const told = author.getByRole('dialog', { name: `${name} v1 · Read notice` });
    await expect(told).toContainText(`trade_no=${trade.tradeNo}`);
    await expect(told).toContainText('"state": "paid"');
  } finally {
    await kosh.stop();
  }
});

/** Writes a new script with a mistake, which is shown in its line, and then without it. */
async function writeScript(
  page: Page,
  script: { readonly name: string; readonly code: string; readonly origin: string },
): Promise<void> {
  await page.goto('/dynamicPay/scripts');
  await page.getByRole('button', { name: 'New script' }).click();
  const dialog = page.getByRole('dialog', { name: 'New script' });
  await dialog.getByLabel('Script').fill(script.name);
  await dialog.getByLabel('May fetch from').fill(script.origin);
  const editor = dialog.getByRole('textbox', { name: 'Code' });
  const mistaken = script.code.replace('const STATES = {', 'const STATES = = {');
  await paste(editor, mistaken);
  await dialog.getByRole('button', { name: 'Check' }).click();
  const line = mistaken.split('\n').findIndex((each) => each.includes('= = {')) + 1;
  await expect(dialog.getByRole('alert').filter({ hasText: 'Syntax error' })).toContainText(`line ${line}`);
  await expect(dialog.locator('.cm-lint-marker-error')).toHaveCount(1);
  await paste(editor, script.code);
  await dialog.getByRole('button', { name: 'Check' }).click();
  await expect(dialog).toContainText('Functions: Create order, Query, Read notice, Pay out');
  await dialog.getByRole('button', { name: 'Keep version' }).click();
  await new SecondPasswordDialog(page).answer(demoUser('support').payPassword);
  await expect(dialog).toBeHidden();
}

/** Pastes like Ctrl+A and Ctrl+V, without the machine's clipboard. */
async function paste(editor: Locator, text: string): Promise<void> {
  await editor.click();
  await editor.press('ControlOrMeta+a');
  await editor.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

/** Tries the script on a written request without answers to its fetches, then on the record of that try, with an answer. */
async function tryScript(page: Page, name: string): Promise<void> {
  // A list keeps new rows back while the reader looks at it.
  await page.goto(`/dynamicPay/scripts?q=${encodeURIComponent(name)}`);
  await page.getByRole('row', { name }).click();
  const drawer = page.getByRole('dialog', { name, exact: true });
  await expect(drawer.getByRole('button', { name: 'Release' })).toBeDisabled();
  await drawer.getByRole('button', { name: 'Try' }).click();
  const dialog = page.getByRole('dialog', { name: `Try · ${name} v1` });
  await dialog.getByRole('button', { name: 'Run' }).click();
  await expect(dialog.getByRole('alert')).toContainText('the request has no answer to this');
  await dialog.getByLabel('Recorded request').click();
  const held = Promise.withResolvers<void>();
  await page.route(`**${getPayScriptCall.path}?*`, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.getByTitle(/ · Create order · Try$/).click();
  // Anything typed now would be overwritten when the record arrives.
  const answers = dialog.getByLabel(/^Answers to its fetches/);
  await expect(answers).not.toBeEditable();
  held.resolve();
  await answers.fill(
    '[{"status":200,"body":"{\\"code\\":0,\\"data\\":{\\"pay_url\\":\\"https://k.example/1\\",\\"trade_no\\":\\"K1\\"}}"}]',
  );
  await dialog.getByRole('button', { name: 'Run' }).click();
  await expect(dialog).toContainText('"payUrl": "https://k.example/1"');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
}

/** The author requests the release and cannot approve it; another person approves. */
async function releaseByTwo(author: Page, checker: Page, name: string): Promise<void> {
  const drawer = author.getByRole('dialog', { name, exact: true });
  await drawer.getByRole('button', { name: 'Release' }).click();
  const dialog = author.getByRole('dialog', { name: `Release · ${name} v1` });
  await dialog.getByLabel('Reason').fill(`Kosh Pay goes live: ${name}`);
  await dialog.getByRole('button', { name: 'Release' }).click();
  await new SecondPasswordDialog(author).answer(demoUser('support').payPassword);
  await expect(dialog).toBeHidden();
  await expect(drawer).toContainText('Version 1 waits for release');
  const asked = (await callAs('support', getStarted, {})).list.find(
    ({ reason }) => reason === `Kosh Pay goes live: ${name}`,
  )!;
  await expect(callAs('support', decide, { id: asked.id, approve: true })).rejects.toThrow('403');

  await openRequest(checker, `Kosh Pay goes live: ${name}`, 'Pay script release');
  await approve(checker, 'Pay script release', 'superadmin');
  await author.goto(`/dynamicPay/scripts?q=${encodeURIComponent(name)}`);
  await expect(author.getByRole('row', { name })).toContainText('v1');
}

/** A supplier's account for the script: proven by other people, opened, and online. */
async function makeAccount(
  page: Page,
  wish: {
    readonly name: string;
    readonly mchId: string;
    readonly amount: number;
    readonly key: string;
    readonly noticeKey: string;
  },
): Promise<void> {
  await page.goto('/internationalCardToCard/list');
  await page.getByRole('button', { name: 'New account' }).click();
  const form = page.getByRole('dialog', { name: 'New account' });
  await form.getByLabel('Product').fill('1030');
  await page.getByTitle('1030 Gateway').click();
  await page.keyboard.press('Escape');
  const fill = (label: string, text: string) => form.getByLabel(label, { exact: true }).fill(text);
  await fill('Gateway', 'Kosh Pay');
  await fill('Account holder', 'Deccan Collections LLP');
  await fill('Account ID at the gateway', wish.mchId);
  await form.getByLabel('Pay script').click();
  await page.getByTitle(wish.name, { exact: true }).click();
  await fill('Key ID', 'kosh');
  await fill('Key secret', wish.key);
  await fill('Webhook secret', wish.noticeKey);
  await fill('Min amount', String(wish.amount / 100));
  await fill('Max amount', String(wish.amount / 100));
  await fill('Purpose', 'Orders of authorised merchants');
  await form.getByRole('button', { name: 'Create' }).click();
  await new SecondPasswordDialog(page).answer(demoUser('supplier1').payPassword);
  await expect(form).toBeHidden();

  const find = async () =>
    (await callAs('supplier1', getResourceList, { account: wish.mchId })).list.find(({ products }) =>
      products.some(({ productId }) => productId === HOSTED),
    );
  const { id } = (await find())!;
  const proof = await callAs('supplier1', submitKyc, {
    subjectKind: 'account',
    subjectId: id,
    documentReference: 'agreement.pdf',
  });
  await callAs('admin', reviewKyc, { id: proof.id, verdict: 'approved' });
  await callAs('supplier1', enableResource, { resourceId: id, productId: HOSTED, enable: true });
  await expect.poll(async () => (await find())?.monitorOnline, { timeout: 60_000 }).toBe(true);
}

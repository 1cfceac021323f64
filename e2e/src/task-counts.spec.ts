import type { Locator, Page } from '@playwright/test';
import { formatMinor } from '@sangam/contract/money.ts';
import { getDetail, reverse, supplement } from '@sangam/contract/endpoints/order.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import { OrderDrawer, OrderList, SupplementDialog } from './pages/order-list.ts';
import { SecondPasswordDialog, Shell } from './pages/shell.ts';
import { BindingPage } from './pages/sign-in-page.ts';
import { expect, test } from './test.ts';
import { demoUser, ownNumber } from './world/demo.ts';
import { unusedCode } from './world/google-code.ts';
import { createOrderAs } from './world/merchant.ts';
import { bankReports, newReference } from './world/monitor.ts';
import { callAs } from './world/session.ts';

/** How many actions a task of every day takes: a click, a key, or something typed or pasted is one. */
class Hand {
  readonly page: Page;
  actions = 0;
  readonly #startedAt = performance.now();

  constructor(page: Page) {
    this.page = page;
  }

  async click(target: Locator): Promise<void> {
    this.actions += 1;
    await target.click();
  }

  async type(target: Locator, text: string): Promise<void> {
    this.actions += 1;
    await target.fill(text);
  }

  async open(address: string): Promise<void> {
    this.actions += 1;
    await this.page.goto(address);
  }

  async press(key: string): Promise<void> {
    this.actions += 1;
    await this.page.keyboard.press(key);
  }

  /** Says what the task took; the seconds are the machine's and bind nobody. */
  took(task: string, most: number): void {
    const seconds = ((performance.now() - this.#startedAt) / 1_000).toFixed(1);
    test
      .info()
      .annotations.push({ type: 'task', description: `${task}: ${this.actions} actions, ${seconds} s` });
    expect(this.actions, task).toBeLessThanOrEqual(most);
  }
}

test('an order is found by its UTR and the reply for its customer copied in four actions', async ({ as }) => {
  const { payParams } = await createOrderAs();
  const reference = newReference();
  await bankReports(payParams, { reference });
  const page = await as('service', { permissions: ['clipboard-read', 'clipboard-write'] });
  await new OrderList(page).open('/order/list/customerService');
  const hand = new Hand(page);
  await hand.press('ControlOrMeta+k');
  await hand.type(page.getByRole('dialog').getByRole('combobox'), reference);
  await hand.click(page.getByRole('dialog').getByRole('option').first());
  await hand.click(page.getByRole('button', { name: 'Copy reply' }));
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('was received');
  hand.took('find an order by UTR, copy the reply', 4);
});

test('an order is supplemented with the UTR its payer named in four actions', async ({ as, complaints }) => {
  complaints.expectOf(supplement.path);
  const first = await createOrderAs();
  const order = await createOrderAs();
  const third = await createOrderAs();
  const utr = newReference();
  // The payer names it on the payment page.
  await fetch(`${order.payUrl.replace('/pay/', '/v1.0/pay/')}/paid`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ utr }),
  });
  const page = await as('admin');
  const list = new OrderList(page);
  const dialog = new SupplementDialog(page);
  await list.open();
  await list.act(first.orderCode, 'Supplement');
  await dialog.confirm(newReference());
  await new SecondPasswordDialog(page).answer(demoUser('admin').payPassword);
  await expect(dialog.dialog).toBeHidden();

  const hand = new Hand(page);
  await hand.click(list.row(order.orderCode).getByRole('button', { name: /^Actions of/ }));
  await hand.click(page.getByRole('menuitem', { name: 'Supplement' }));
  await hand.click(dialog.dialog.getByRole('button', { name: `Use ${utr}` }));
  await hand.click(dialog.dialog.getByRole('button', { name: 'Supplement' }));
  await expect(dialog.dialog).toBeHidden();
  await expect(list.row(order.orderCode)).toContainText('Supplemented');
  hand.took('supplement with a known UTR', 4);

  // The same UTR again: the refusal says whose it is.
  await list.act(third.orderCode, 'Supplement');
  await dialog.confirm(utr);
  await expect(dialog.refusal).toContainText(order.orderCode);
});

test('a reversal is approved in three actions, with the money in sight', async ({ as, complaints }) => {
  for (const { path } of [reverse, decide, supplement]) complaints.expectOf(path);
  const { orderCode, payParams } = await createOrderAs();
  await bankReports(payParams, { reference: newReference() });
  const asker = await as('admin');
  await asker.goto(`/order/list?open=${orderCode}`);
  const drawer = new OrderDrawer(asker, orderCode);
  await drawer.actions.getByRole('button', { name: 'Reverse' }).click();
  const asking = asker.getByRole('dialog', { name: /Reverse/ }).last();
  await asking.getByLabel('Reason').fill('The bank took the payment back');
  await asking.getByRole('button', { name: 'Reverse' }).click();
  await new SecondPasswordDialog(asker).answer(demoUser('admin').payPassword);
  await expect(asking).toBeHidden();

  const page = await as('superadmin');
  await page.goto('/todo/mine');
  const hand = new Hand(page);
  await hand.click(page.getByRole('row', { name: /Reversal/ }).first());
  const request = page.getByRole('dialog', { name: /Reversal/ }).last();
  await expect(request).toContainText(formatMinor(payParams.payableAmount, 'INR'));
  await hand.click(request.getByRole('button', { name: 'Approve' }));
  const answer = page.getByRole('dialog', { name: /^Approve/ });
  await hand.click(answer.getByRole('button', { name: 'Approve' }));
  // Who has given the second password in the last quarter of an hour is not asked.
  await new SecondPasswordDialog(page).answer(demoUser('superadmin').payPassword);
  await expect(answer).toBeHidden();
  hand.took('approve a reversal', 3);
});

test('a new merchant’s first paid order, from empty forms, takes all its people 45 actions', async ({
  as,
  page: fresh,
  complaints,
}) => {
  complaints.expectOf('/v1.0/');
  const account = `shop${ownNumber(1)}`;
  const name = `Shop ${account}`;

  // An admin asks.
  const asking = await as('admin');
  await asking.goto('/merchants/list');
  const admin = new Hand(asking);
  await admin.click(asking.getByRole('button', { name: 'New merchant' }));
  const form = asking.getByRole('dialog', { name: 'New merchant' });
  await admin.type(form.getByLabel('Name', { exact: true }), name);
  await admin.type(form.getByLabel('Account', { exact: true }), account);
  await admin.click(form.getByLabel('Copy rates from'));
  await admin.click(asking.getByTitle('Tamarind Learning').last());
  await admin.type(form.getByLabel('KYC: where the documents are kept'), `vault/${account}`);
  await admin.click(form.getByRole('button', { name: 'Create' }));
  await givePassword(admin, demoUser('admin').payPassword);
  await expect(asking.getByRole('dialog', { name })).toContainText(`vault/${account}`);

  // A second person decides: who it is, on what terms, and that its user may set its passwords.
  const deciding = await as('superadmin', { permissions: ['clipboard-read', 'clipboard-write'] });
  await deciding.goto('/todo/mine');
  const second = new Hand(deciding);
  const waiting = (kind: string) =>
    deciding.getByRole('row').filter({ hasText: kind }).filter({ hasText: account });
  const kinds = ['Rate change', "Access to a user's account"] as const;
  await second.click(waiting(kinds[0]).getByRole('link', { name }));
  const merchant = deciding.getByRole('dialog', { name, exact: true });
  await second.click(merchant.getByRole('button', { name: `Approve vault/${account}` }));
  await second.click(
    deciding.getByRole('dialog', { name: /^Approve · / }).getByRole('button', { name: 'Approve' }),
  );
  await givePassword(second, demoUser('superadmin').payPassword);
  await expect(merchant).toContainText('Approved');
  await second.click(new Shell(deciding).tabs.filter({ hasText: 'Approvals' }));
  for (const kind of kinds) {
    await second.click(waiting(kind).getByText(kind, { exact: true }).first());
    const request = deciding.getByRole('dialog', { name: kind, exact: true });
    await second.click(request.getByRole('button', { name: 'Approve' }));
    const answer = deciding.getByRole('dialog', { name: /^Approve: / });
    await second.click(answer.getByRole('button', { name: 'Approve' }));
    await expect(answer).toBeHidden();
  }
  const once = deciding.getByRole('dialog', { name: new RegExp(account) });
  await second.click(once.getByRole('button', { name: /^Copy/ }));
  const link = await deciding.evaluate(() => navigator.clipboard.readText());
  await second.click(once.getByRole('button', { name: "I've saved it" }));

  // The merchant's user comes in by the link and issues the secret that its server signs with.
  await fresh.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const owner = new Hand(fresh);
  await owner.open(link);
  const [password, payPassword] = ['Quiet harbour 7', 'Loud harbour 8'];
  await owner.type(fresh.getByLabel('Password', { exact: true }), password);
  await owner.type(fresh.getByLabel('The same once more').first(), password);
  await owner.type(fresh.getByLabel('Second password'), payPassword);
  await owner.type(fresh.getByLabel('The same once more').last(), payPassword);
  await owner.click(fresh.getByRole('button', { name: 'Set passwords' }));
  await owner.click(fresh.getByRole('link', { name: 'To sign-in' }));
  await owner.type(fresh.getByLabel('Account'), account);
  await owner.type(fresh.getByLabel('Password', { exact: true }), password);
  await owner.click(fresh.getByRole('button', { name: 'Sign in' }));
  const binding = new BindingPage(fresh);
  await expect(binding.qrCode).toBeVisible();
  const authenticator = (await binding.secret.innerText()).trim();
  await owner.type(fresh.getByLabel('Google code'), await unusedCode(account, authenticator));
  await owner.click(fresh.getByRole('button', { name: 'Bind and sign in' }));
  await owner.click(fresh.getByRole('menuitem', { name: 'Profile' }));
  await owner.click(fresh.getByRole('button', { name: 'New secret…' }));
  await owner.click(fresh.getByRole('dialog').getByRole('button', { name: 'New secret…' }));
  await givePassword(owner, payPassword);
  const shown = fresh.getByRole('dialog', { name: 'New secret issued' });
  await owner.click(shown.getByRole('button', { name: /^Copy/ }));
  const secret = await fresh.evaluate(() => navigator.clipboard.readText());
  await owner.click(shown.getByRole('button', { name: "I've saved it" }));
  const mchId = (await fresh.getByRole('main').innerText()).match(/Merchant ID\s+(\d+)/)![1]!;

  // Its server creates the order; its payer opens the page and pays.
  const { payUrl, payParams, orderCode } = await createOrderAs({
    merchant: { mchId, account, signType: 'hmac-sha256-v2', secret },
  });
  const payer = new Hand(await fresh.context().newPage());
  await payer.open(payUrl);
  const paid = payer.page.getByRole('heading', { name: 'Payment successful', exact: true });
  payer.actions += 1;
  await bankReports(payParams, { reference: newReference() });
  await expect(paid).toBeVisible();
  const { order } = await callAs('admin', getDetail, { orderCode });
  expect(order.merchantName).toBe(name);

  const people = { admin, second, owner, payer };
  const counts = Object.entries(people).map(([who, { actions }]) => `${who} ${actions}`);
  test.info().annotations.push({ type: 'task', description: `first paid order: ${counts.join(', ')}` });
  const all = Object.values(people).reduce((sum, { actions }) => sum + actions, 0);
  expect(all, counts.join(', ')).toBeLessThanOrEqual(45);
});

/** The second-level password, of who has not given it in the last quarter of an hour. */
async function givePassword(hand: Hand, password: string): Promise<void> {
  const { dialog } = new SecondPasswordDialog(hand.page);
  await hand.type(dialog.getByLabel('Password', { exact: true }), password);
  await hand.click(dialog.getByRole('button', { name: 'Confirm' }));
}

import type { Page } from '@playwright/test';
import { getDetail } from '@sangam/contract/endpoints/order.ts';
import { givePassword, Hand } from './hand.ts';
import { CashierPage } from './pages/cashier-page.ts';
import { Shell } from './pages/shell.ts';
import { BindingPage } from './pages/sign-in-page.ts';
import { expect, test } from './test.ts';
import { demoUser, ownNumber } from './world/demo.ts';
import { unusedCode } from './world/google-code.ts';
import { enterLivingWorld } from './world/living.ts';
import { createOrderAs } from './world/merchant.ts';
import { callAs } from './world/session.ts';

const STARTING_MS = 240_000;
/** Time for the bank's message and the payment page's next poll. */
const PAID_MS = 60_000;

let leave: (() => Promise<void>) | undefined;
test.beforeAll(async () => {
  test.setTimeout(STARTING_MS);
  leave = await enterLivingWorld(['admin', 'superadmin']);
});
test.afterAll(() => leave?.());

/** The steps of the checklist for a new merchant, each with whether it is done. */
const steps = async (page: Page) => {
  const items = page.getByRole('region', { name: 'Until the first paid order' }).getByRole('listitem');
  await expect(items).toHaveCount(6);
  const done = items.filter({ has: page.getByRole('img', { name: 'Done' }) });
  return { items, done };
};

test('a new merchant gets from empty forms to its first paid order in 45 actions of all people together', async ({
  as,
  page: fresh,
  complaints,
  merchantEndpoint,
}) => {
  complaints.expectOf('/v1.0/');
  const account = `shop${ownNumber(1)}`;
  const name = `Shop ${account}`;

  // An admin makes the requests.
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

  // The checklist in the merchant's drawer says what is missing.
  const asked = await steps(asking);
  await expect(asked.items.nth(0)).toContainText('A second person approves them');
  await expect(asked.done).toHaveCount(0);

  // A second person decides on the KYC record, the terms, and the link for the user's passwords.
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

  // The merchant's user signs in by the link and issues the secret for its server's signatures.
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
  // The user's home shows what is done and what comes next.
  const own = await steps(fresh);
  await expect(own.done).toHaveText([/Identity/, /product/, /signs in/]);
  await owner.click(own.items.getByRole('link', { name: 'Secret of the interface issued' }));
  await owner.click(fresh.getByRole('button', { name: 'New secret…' }));
  await owner.click(fresh.getByRole('dialog').getByRole('button', { name: 'New secret…' }));
  await givePassword(owner, payPassword);
  const shown = fresh.getByRole('dialog', { name: 'New secret issued' });
  await owner.click(shown.getByRole('button', { name: /^Copy/ }));
  const secret = await fresh.evaluate(() => navigator.clipboard.readText());
  await owner.click(shown.getByRole('button', { name: "I've saved it" }));
  const mchId = (await fresh.getByRole('main').innerText()).match(/Merchant ID\s+(\d+)/)![1]!;

  // The merchant's server creates the order. The payer opens the page and pays, and the bank sends its message.
  const { payUrl, orderCode } = await createOrderAs({
    merchant: { mchId, account, signType: 'hmac-sha256-v2', secret },
    notifyUrl: merchantEndpoint.url,
  });
  const payer = new Hand(await fresh.context().newPage());
  const cashier = new CashierPage(payer.page);
  await payer.open(payUrl);
  await payer.click(payer.page.getByRole('button', { name: 'Pay as asked' }));
  await expect(cashier.paid).toBeVisible({ timeout: PAID_MS });
  await expect(cashier.main).toContainText(name);
  // The merchant gets the callback, and its home has no open step.
  await expect.poll(() => merchantEndpoint.received.join('\n')).toContain(orderCode);
  await new Shell(fresh).tabs.first().click();
  await expect(fresh.getByRole('region', { name: 'Until the first paid order' })).toBeHidden();
  const { order } = await callAs('admin', getDetail, { orderCode });
  expect(order.merchantName).toBe(name);

  const people = { admin, second, owner, payer };
  const counts = Object.entries(people).map(([who, { actions }]) => `${who} ${actions}`);
  test.info().annotations.push({ type: 'task', description: `first paid order: ${counts.join(', ')}` });
  const all = Object.values(people).reduce((sum, { actions }) => sum + actions, 0);
  expect(all, counts.join(', ')).toBeLessThanOrEqual(45);
});

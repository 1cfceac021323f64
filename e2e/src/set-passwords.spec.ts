import { addUser } from '@sangam/contract/endpoints/admin.ts';
import { approve, openRequest } from './pages/approvals.ts';
import { BindingPage, SignInPage } from './pages/sign-in-page.ts';
import { expect, test } from './test.ts';
import { ownNumber } from './world/demo.ts';
import { callAs } from './world/session.ts';

test('a new user sets its passwords by the link that a second person is shown', async ({
  as,
  page,
  complaints,
}) => {
  complaints.expectOf('/v1.0/user/getPasswordLink');
  complaints.expectOf('/v1.0/user/setPasswords');
  complaints.expectOf('/v1.0/user/login');
  complaints.expectOf('/v1.0/todo/decide');
  const account = `fresh${ownNumber(1)}`;
  await callAs('admin', addUser, { account, nickname: 'Fresh', access: 'customerService' });
  const decider = await as('superadmin');
  const kind = "Access to a user's account";
  await openRequest(decider, new RegExp(account), kind);
  await approve(decider, kind, 'superadmin');
  const once = decider.getByRole('dialog', { name: `${kind} · ${account}` });
  const link = await once.getByRole('code').innerText();
  await once.getByRole('button', { name: "I've saved it" }).click();
  await expect(once).toBeHidden();

  await page.goto(link);
  await expect(page.getByText(`For account ${account}`)).toBeVisible();
  const [password, payPassword] = ['Quiet harbour 7', 'Loud harbour 8'];
  const again = page.getByLabel('The same once more');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await again.first().fill('Quiet harbour 8');
  await page.getByLabel('Second password').fill('password1');
  await again.last().fill('password1');
  const submit = page.getByRole('button', { name: 'Set passwords' });
  await submit.click();
  await expect(page.getByText('The two entries differ')).toBeVisible();
  await again.first().fill(password);
  await submit.click();
  await expect(page.getByRole('alert')).toContainText('too easy to guess');
  await page.getByLabel('Second password').fill(payPassword);
  await again.last().fill(payPassword);
  await submit.click();
  await expect(page.getByText(`Both passwords of ${account} are set.`)).toBeVisible();
  await page.goto(link);
  await page.reload();
  await expect(page.getByText('This link no longer works')).toBeVisible();
  await page.getByRole('link', { name: 'To sign-in' }).click();
  await new SignInPage(page).signIn(account, password);
  await expect(new BindingPage(page).heading).toBeVisible();
});

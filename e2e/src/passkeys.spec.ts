import { topUp } from '@sangam/contract/endpoints/fund.ts';
import { beginPasskey, removePasskey } from '@sangam/contract/endpoints/passkey.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import { login } from '@sangam/contract/endpoints/user.ts';
import type { Page } from '@playwright/test';
import { openRequest } from './pages/approvals.ts';
import { SecondPasswordDialog, Shell } from './pages/shell.ts';
import { SignInPage } from './pages/sign-in-page.ts';
import { expect, test } from './test.ts';
import { demo, demoUser, ownNumber, serverUrl } from './world/demo.ts';
import { unusedCode } from './world/google-code.ts';
import { callAs } from './world/session.ts';

// A passkey is bound to a host name; an IP address has none.
test.use({ baseURL: serverUrl.replace('127.0.0.1', 'localhost') });

/** Adds a virtual authenticator to the page's browser, whose user always consents. */
async function plugIn(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

test('a passkey is made, signs in without a code, approves a request and is removed', async ({
  page,
  complaints,
}) => {
  for (const { path } of [login, beginPasskey, removePasskey, decide]) complaints.expectOf(path);
  const { password, payPassword } = demoUser('admin');
  const signIn = new SignInPage(page);
  await plugIn(page);
  await signIn.open();
  await signIn.signIn('admin', password, await unusedCode('admin'));
  await expect(page).toHaveURL('/home');
  await page.goto('/profile/list');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const adding = page.getByRole('dialog', { name: 'Add a passkey' });
  await adding.getByLabel('Name').fill('Office laptop');
  await adding.getByRole('button', { name: 'Add a passkey' }).click();
  await new SecondPasswordDialog(page).answer(payPassword);
  const passkey = page.getByRole('listitem').filter({ hasText: 'Office laptop' });
  await expect(passkey).toContainText('Not used yet');

  await new Shell(page).signOut();
  await signIn.signIn('admin', password);
  await expect(page).not.toHaveURL(/login/);

  const sum = ownNumber(2_34_000);
  const { mchId } = demo().merchants[1]!;
  await callAs('service', topUp, {
    ownerKind: 'merchant',
    ownerId: mchId,
    currency: 'INR',
    amount: sum * 100 + 9,
    reason: 'Seen by the bank',
  });
  const row = new RegExp(`Top-up.*${sum.toLocaleString('en-IN')}\\.09`);
  const request = await openRequest(page, row, 'Top-up');
  await request.getByRole('button', { name: 'Approve' }).click();
  const answer = page.getByRole('dialog', { name: 'Approve: Top-up' });
  await answer.getByRole('button', { name: 'Approve' }).click();
  await expect(answer).toBeHidden();
  await expect(page.getByRole('row', { name: row })).toBeHidden();

  await page.goto('/profile/list');
  await passkey.getByRole('button', { name: 'Remove Office laptop' }).click();
  const removing = page.getByRole('dialog', { name: 'Remove' });
  await removing.getByRole('button', { name: 'Remove' }).click();
  await expect(passkey).toBeHidden();
});

test('after closing the browser’s passkey question, the user is told to try again or to enter the code', async ({
  page,
  complaints,
}) => {
  complaints.expectOf(login.path);
  await page.addInitScript(() => {
    navigator.credentials.get = () => Promise.reject(new DOMException('closed', 'NotAllowedError'));
  });
  await page.route(`**${login.path}`, (route) =>
    route.fulfill({
      status: 401,
      json: { code: 1007, msg: 'passkey', data: { options: { challenge: 'AAAA' } } },
    }),
  );
  const signIn = new SignInPage(page);
  await signIn.open();
  await signIn.signIn('admin', 'whatever it is 1');
  await expect(signIn.refusal).toHaveText('The passkey was not used. Try again, or enter the Google code.');
});

import { unbindForProfile } from '@sangam/contract/endpoints/user.ts';
import { Shell } from './pages/shell.ts';
import { BindingPage, SignInPage } from './pages/sign-in-page.ts';
import { expect, test } from './test.ts';
import { demoUser } from './world/demo.ts';
import { keepAuthenticator, unusedCode, wrongCode } from './world/google-code.ts';
import { callAs } from './world/session.ts';

test('a user without an authenticator binds one and is signed in', async ({ page, complaints }) => {
  complaints.expectOf('/v1.0/user/login');
  complaints.expectOf('/v1.0/user/confirmBind');
  const { account, password } = demoUser('support');
  await callAs('support', unbindForProfile, { userAccount: account });

  const signIn = new SignInPage(page);
  await signIn.open();
  await signIn.signIn(account, password);
  await expect(page).toHaveURL('/googleVerify');
  const binding = new BindingPage(page);
  await expect(binding.heading).toBeVisible();
  await expect(binding.qrCode).toBeVisible();
  expect(await binding.qrCode.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100);
  const secret = (await binding.secret.innerText()).trim();
  expect(secret).toMatch(/^[A-Z2-7]{32,}$/);

  await binding.confirm(wrongCode(account));
  await expect(binding.refusal).toHaveText('Wrong Google code');
  await binding.confirm(await unusedCode(account, secret));
  await expect(page).toHaveURL('/home');
  keepAuthenticator(account, secret);
  await expect(new Shell(page).heading).toHaveText('Health');
  await page.reload();
  await expect(page).toHaveURL('/home');
});

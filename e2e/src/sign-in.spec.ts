import { OrderList } from './pages/order-list.ts';
import { Shell } from './pages/shell.ts';
import { SignInPage } from './pages/sign-in-page.ts';
import { expect, test } from './test.ts';
import { demoUser } from './world/demo.ts';
import { unusedCode, wrongCode } from './world/google-code.ts';

const login = '/v1.0/user/login';

test('signs in with account, password and Google code', async ({ page }) => {
  const signIn = new SignInPage(page);
  await page.goto('/');
  await expect(page).toHaveURL('/login');
  await signIn.signIn('service', demoUser('service').password, await unusedCode('service'));
  await expect(page).toHaveURL('/home');
  await expect(new Shell(page).heading).toHaveText('Today against yesterday');
});

test('shows in words what was wrong with a sign-in', async ({ page, complaints }) => {
  complaints.expectOf(login);
  const signIn = new SignInPage(page);
  await signIn.open();
  const { account, password } = demoUser('service');
  await signIn.signIn(account, `${password}x`, wrongCode(account));
  await expect(signIn.refusal).toHaveText('Wrong account or password');
  await signIn.signIn(account, password, wrongCode(account));
  await expect(signIn.refusal).toHaveText('Wrong Google code');
  await expect(page).toHaveURL('/login');
});

test('a used Google code does not sign in', async ({ page, context, complaints }) => {
  complaints.expectOf(login);
  const signIn = new SignInPage(page);
  const code = await unusedCode('merchant2');
  await signIn.open();
  await signIn.signIn('merchant2', demoUser('merchant2').password, code);
  await expect(page).toHaveURL('/home');
  await new Shell(page).signOut();
  await context.clearCookies();
  await signIn.signIn('merchant2', demoUser('merchant2').password, code);
  await expect(signIn.refusal).toHaveText('Wrong Google code');
});

test('signing out leaves no data in the browser', async ({ page, context, complaints }) => {
  complaints.expectOf(login);
  const shell = new Shell(page);
  const signIn = new SignInPage(page);
  await signIn.open();
  await signIn.signIn('supplier1', demoUser('supplier1').password, await unusedCode('supplier1'));
  await shell.menu.getByRole('menuitem', { name: 'Transactions' }).click();
  await expect(shell.heading).toHaveText('Transactions');
  await expect(shell.tabs).toHaveText(['Home', 'Transactions']);

  await shell.signOut();
  await expect(signIn.heading).toBeVisible();
  await expect.poll(async () => (await context.cookies()).map(({ name }) => name)).not.toContain('sid');
  const stored = await page.evaluate(() => Object.keys(localStorage));
  expect(stored.filter((key) => /token|tabs/.test(key))).toEqual([]);
  await page.goto('/fundRecord/fundRecord');
  await expect(page).toHaveURL('/login');
});

test('without a token every address leads to the sign-in page, and back once signed in', async ({ page }) => {
  const signIn = new SignInPage(page);
  await page.goto('/order/list?s=3');
  await expect(page).toHaveURL('/login');
  await signIn.signIn('admin', demoUser('admin').password, await unusedCode('admin'));
  await expect(page).toHaveURL('/order/list?s=3');
  await expect(new OrderList(page).statusCard('Callback succeeded')).toHaveAttribute('aria-pressed', 'true');
});

test("another role's page is refused inside the shell, an unknown address is not found", async ({ as }) => {
  const page = await as('service');
  const shell = new Shell(page);
  await page.goto('/order/list');
  await expect(page).toHaveURL('/error_401');
  await expect(shell.noAccess).toBeVisible();
  await expect(shell.menu.getByRole('menuitem', { name: 'Collection orders' })).toBeVisible();
  await page.getByRole('button', { name: 'Go to home' }).click();
  await expect(page).toHaveURL('/home');
  await page.goto('/no/such/page');
  await expect(shell.heading).toHaveText('Page not found');
});

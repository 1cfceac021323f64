import type { Locator, Page } from '@playwright/test';

export class SignInPage {
  readonly page: Page;
  readonly heading: Locator;
  readonly refusal: Locator;

  constructor(page: Page) {
    this.page = page;
    this.heading = page.getByRole('heading', { name: 'Sign in to the back office' });
    this.refusal = page.getByRole('alert');
  }

  async open(): Promise<void> {
    await this.page.goto('/login');
  }

  async signIn(account: string, password: string, code?: string): Promise<void> {
    await this.page.getByLabel('Account').fill(account);
    await this.page.getByLabel('Password', { exact: true }).fill(password);
    if (code !== undefined) await this.page.getByLabel('Google code').fill(code);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
  }
}

/** /googleVerify: binds a new authenticator during sign-in. */
export class BindingPage {
  readonly page: Page;
  readonly heading: Locator;
  readonly qrCode: Locator;
  readonly secret: Locator;
  readonly refusal: Locator;

  constructor(page: Page) {
    this.page = page;
    this.heading = page.getByRole('heading', { name: 'Bind Google Authenticator' });
    this.qrCode = page.getByRole('img', { name: 'QR code for the authenticator app' });
    this.secret = page.getByRole('code');
    this.refusal = page.getByRole('alert');
  }

  async confirm(code: string): Promise<void> {
    await this.page.getByLabel('Google code').fill(code);
    await this.page.getByRole('button', { name: 'Bind and sign in' }).click();
  }
}

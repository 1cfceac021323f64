import type { Locator, Page } from '@playwright/test';

/** The payment page. Hidden live regions repeat its texts, so elements are found by role. */
export class CashierPage {
  readonly page: Page;
  readonly main: Locator;
  readonly openUpi: Locator;
  readonly qrCode: Locator;
  readonly utr: Locator;
  readonly iHavePaid: Locator;
  readonly paid: Locator;

  constructor(page: Page) {
    this.page = page;
    this.main = page.getByRole('main');
    this.openUpi = page.getByRole('link', { name: 'Open UPI app' });
    this.qrCode = page.getByRole('img', { name: /^UPI QR code/ });
    this.utr = page.getByLabel('UTR (payment reference)');
    this.iHavePaid = page.getByRole('button', { name: 'I have paid' });
    this.paid = this.heading('Payment successful');
  }

  heading(name: string): Locator {
    return this.page.getByRole('heading', { name, exact: true });
  }

  async copied(name: string): Promise<string> {
    await this.page.getByRole('button', { name: `Copy ${name}` }).click();
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  async chooseLanguage(name: string): Promise<void> {
    await this.page.getByRole('combobox').selectOption({ label: name });
  }
}

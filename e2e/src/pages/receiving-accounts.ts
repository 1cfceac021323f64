import type { Locator, Page } from '@playwright/test';

export class ReceivingAccounts {
  readonly page: Page;
  readonly dialog: Locator;
  readonly qrCode: Locator;
  readonly takesOrders: Locator;

  constructor(page: Page) {
    this.page = page;
    this.dialog = page.getByRole('dialog');
    this.qrCode = this.dialog.getByRole('img', { name: /^Payment QR code/ });
    this.takesOrders = this.dialog.getByRole('switch', { name: 'Takes new orders' });
  }

  async open(query = ''): Promise<void> {
    await this.page.goto(`/internationalCardToCard/list-admin${query}`);
  }

  /** Opens the dialog in which the first account listed is opened or closed. */
  async askToSwitchFirst(): Promise<void> {
    await this.page
      .getByRole('button', { name: /^Open or close/ })
      .first()
      .click();
  }
}

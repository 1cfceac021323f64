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

  /** The chips of one product, one per account. */
  chips(product: string): Locator {
    return this.page.getByRole('button', {
      name: new RegExp(`^${product}( · Closed)?, .+: open, close or change$`),
    });
  }

  /** Opens the dialog that opens or closes the first listed account for a product. */
  async askToSwitchFirst(product: string): Promise<void> {
    await this.chips(product).first().click();
  }
}

import type { Locator, Page } from '@playwright/test';

export class OrderList {
  readonly page: Page;
  readonly heading: Locator;
  readonly rows: Locator;
  readonly clearFilters: Locator;

  constructor(page: Page, title = 'Collection orders') {
    this.page = page;
    this.heading = page.getByRole('heading', { level: 1, name: title });
    // The table's body: the heading is in a table of its own.
    this.rows = page.getByRole('row').filter({ has: page.getByRole('button', { name: /^Actions of/ }) });
    this.clearFilters = page.getByRole('button', { name: 'Clear filters' });
  }

  async open(path = '/order/list'): Promise<void> {
    await this.page.goto(path);
    await this.heading.waitFor();
  }

  row(orderCode: string): Locator {
    return this.page.getByRole('row').filter({ has: this.page.getByTitle(orderCode, { exact: true }) });
  }

  async filterByText(label: string, text: string): Promise<void> {
    await this.page.getByRole('search').getByRole('textbox', { name: label, exact: true }).fill(text);
  }

  statusCard(status: string): Locator {
    return this.page.getByRole('group', { name: 'Orders by status' }).getByRole('button', { name: status });
  }

  async act(orderCode: string, action: string): Promise<void> {
    await this.row(orderCode)
      .getByRole('button', { name: /^Actions of/ })
      .click();
    await this.page.getByRole('menuitem', { name: action }).click();
  }
}

/** The drawer of an order. */
export class OrderDrawer {
  readonly drawer: Locator;
  readonly actions: Locator;

  constructor(page: Page, orderCode: string) {
    this.drawer = page.getByRole('dialog', { name: new RegExp(orderCode) });
    this.actions = this.drawer.getByRole('group', { name: 'Actions' });
  }

  section(title: string): Locator {
    return this.drawer.getByRole('region', { name: title, exact: true });
  }

  async close(): Promise<void> {
    await this.drawer.getByRole('button', { name: 'Close' }).click();
  }
}

export class SupplementDialog {
  readonly dialog: Locator;
  readonly refusal: Locator;

  constructor(page: Page) {
    this.dialog = page.getByRole('dialog', { name: 'Supplement order' });
    this.refusal = this.dialog.getByRole('alert');
  }

  async confirm(utr: string): Promise<void> {
    await this.dialog.getByLabel('UTR').fill(utr);
    await this.dialog.getByRole('button', { name: 'Supplement' }).click();
  }
}

/// <reference lib="dom" />
import type { Locator, Page } from '@playwright/test';

/** The console's frame: menu, header, tabs, and the dialog for the second-level password. */
export class Shell {
  readonly page: Page;
  readonly menu: Locator;
  readonly tabs: Locator;
  /** Heading of the current page. */
  readonly heading: Locator;
  readonly noAccess: Locator;

  constructor(page: Page) {
    this.page = page;
    this.menu = page.getByRole('navigation').getByRole('menu');
    this.tabs = page.getByRole('tablist').getByRole('tab');
    this.heading = page.getByRole('heading', { level: 1 });
    this.noAccess = page.getByRole('heading', { name: 'No access', exact: true });
  }

  /** Changes the address without reloading the console, as the browser's back and forward buttons do. */
  async visit(path: string): Promise<void> {
    await this.page.evaluate((to) => {
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate', { state: null }));
    }, path);
  }

  /** Opens the screen with this name by the menu's search, with the keyboard. */
  async find(name: string): Promise<void> {
    const box = this.page.getByRole('navigation').getByRole('textbox', { name: 'Find a screen' });
    await box.fill(name);
    await box.press('Enter');
  }

  /** Closes all hidden tabs by their crosses. */
  async closeHiddenTabs(): Promise<void> {
    await this.tabs.locator('[data-testid^=close-tab]').evaluateAll((crosses) => {
      for (const cross of crosses)
        if (cross instanceof HTMLElement && !cross.closest('[aria-selected=true]')) cross.click();
    });
  }

  async chooseLanguage(name: string): Promise<void> {
    await this.page.getByRole('button', { name: /^(Language|语言|語言)$/ }).click();
    await this.page.getByRole('menuitem', { name }).click();
  }

  async signOut(): Promise<void> {
    await this.page.getByRole('button', { name: 'Account menu of' }).click();
    await this.page.getByRole('menuitem', { name: 'Sign out' }).click();
  }

  /** A message about a success or a failure. */
  notice(text: string | RegExp): Locator {
    return this.page.locator('.ant-message-notice', { hasText: text });
  }
}

export class SecondPasswordDialog {
  readonly dialog: Locator;
  readonly refusal: Locator;

  constructor(page: Page) {
    this.dialog = page.getByRole('dialog', { name: 'Second-level password' });
    this.refusal = this.dialog.getByRole('alert');
  }

  async answer(password: string): Promise<void> {
    await this.dialog.getByLabel('Password', { exact: true }).fill(password);
    await this.dialog.getByRole('button', { name: 'Confirm' }).click();
  }
}

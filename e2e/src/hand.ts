import type { Locator, Page } from '@playwright/test';
import { SecondPasswordDialog } from './pages/shell.ts';
import { expect, test } from './test.ts';

/** Counts the actions of an everyday task: a click, a key, or something typed or pasted is one action. */
export class Hand {
  readonly page: Page;
  actions = 0;
  readonly #startedAt = performance.now();

  constructor(page: Page) {
    this.page = page;
  }

  async click(target: Locator): Promise<void> {
    this.actions += 1;
    await target.click();
  }

  async type(target: Locator, text: string): Promise<void> {
    this.actions += 1;
    await target.fill(text);
  }

  async open(address: string): Promise<void> {
    this.actions += 1;
    await this.page.goto(address);
  }

  async press(key: string): Promise<void> {
    this.actions += 1;
    await this.page.keyboard.press(key);
  }

  /** Checks the number of actions that the task took. The seconds depend on the machine and are only printed. */
  took(task: string, most: number): void {
    const seconds = ((performance.now() - this.#startedAt) / 1_000).toFixed(1);
    test
      .info()
      .annotations.push({ type: 'task', description: `${task}: ${this.actions} actions, ${seconds} s` });
    expect(this.actions, task).toBeLessThanOrEqual(most);
  }
}

/** Enters the second-level password. The server asks for it if the user has not given it in the last 15 minutes. */
export async function givePassword(hand: Hand, password: string): Promise<void> {
  const { dialog } = new SecondPasswordDialog(hand.page);
  await hand.type(dialog.getByLabel('Password', { exact: true }), password);
  await hand.click(dialog.getByRole('button', { name: 'Confirm' }));
}

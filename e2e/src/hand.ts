import type { Locator, Page } from '@playwright/test';
import { SecondPasswordDialog } from './pages/shell.ts';
import { expect, test } from './test.ts';

/** How many actions a task of every day takes: a click, a key, or something typed or pasted is one. */
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

  /** Says what the task took; the seconds are the machine's and bind nobody. */
  took(task: string, most: number): void {
    const seconds = ((performance.now() - this.#startedAt) / 1_000).toFixed(1);
    test
      .info()
      .annotations.push({ type: 'task', description: `${task}: ${this.actions} actions, ${seconds} s` });
    expect(this.actions, task).toBeLessThanOrEqual(most);
  }
}

/** The second-level password, of who has not given it in the last quarter of an hour. */
export async function givePassword(hand: Hand, password: string): Promise<void> {
  const { dialog } = new SecondPasswordDialog(hand.page);
  await hand.type(dialog.getByLabel('Password', { exact: true }), password);
  await hand.click(dialog.getByRole('button', { name: 'Confirm' }));
}

/// <reference lib="dom" />
import type { Locator, Page } from '@playwright/test';

/** More stops than any page of ours has between two things. */
const MOST_STOPS = 120;

/** How the focus is moved on: within a menu by arrows. */
type Step = 'Tab' | 'Shift+Tab' | 'ArrowDown';

/** Someone without a mouse: only keys are pressed, and what has the focus is looked at. */
export class Keyboard {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  /** Step by step to `target`; fails when the focus never comes there. */
  async goTo(target: Locator, key: Step = 'Tab'): Promise<void> {
    await target.waitFor();
    for (let stops = 0; stops < MOST_STOPS; stops++) {
      if (
        await target.evaluate((element) => element === document.activeElement, undefined, { timeout: 5_000 })
      )
        return;
      await this.page.keyboard.press(key);
    }
    throw new Error(`${MOST_STOPS} times ${key}, and the focus never came to ${target.toString()}`);
  }

  /** Goes to a button, a link or a tab and presses it. */
  async push(target: Locator, key: Step = 'Tab'): Promise<void> {
    await this.goTo(target, key);
    await this.press('Enter');
  }

  /** Goes to a field and writes in it. */
  async write(field: Locator, text: string): Promise<void> {
    await this.goTo(field);
    await this.press('Control+a');
    await this.type(text);
  }

  /** Goes to a field of choices, looks for one by a part of its name and takes it. */
  async choose(field: Locator, part: string): Promise<void> {
    await this.goTo(field);
    await this.type(part);
    await this.page.locator('.ant-select-item-option-active', { hasText: part }).waitFor();
    await this.press('Enter');
  }
}

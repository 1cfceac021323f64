/// <reference lib="dom" />
import type { Locator, Page } from '@playwright/test';

/** More Tab stops than any page has between two elements. */
const MOST_STOPS = 120;

/** The key that moves the focus; within a menu an arrow key. */
type Step = 'Tab' | 'Shift+Tab' | 'ArrowDown';

/** A user without a mouse: presses keys only, and looks at the focused element. */
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

  /** Presses the key until `target` has the focus; fails when it never gets it. */
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

  /** Moves to a button, a link or a tab and presses it. */
  async push(target: Locator, key: Step = 'Tab'): Promise<void> {
    await this.goTo(target, key);
    await this.press('Enter');
  }

  /** Moves to a field and types text. */
  async write(field: Locator, text: string): Promise<void> {
    await this.goTo(field);
    await this.press('Control+a');
    await this.type(text);
  }

  /** Moves to a field of choices, searches for a choice by a part of its name, and takes it. */
  async choose(field: Locator, part: string): Promise<void> {
    await this.goTo(field);
    await this.type(part);
    await this.page.locator('.ant-select-item-option-active', { hasText: part }).waitFor();
    await this.press('Enter');
  }
}

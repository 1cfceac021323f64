/// <reference lib="dom" />
import { test as base, type BrowserContext, type BrowserContextOptions, type Page } from '@playwright/test';
import { openMerchantEndpoint, type MerchantEndpoint } from './world/merchant.ts';
import { serverUrl } from './world/demo.ts';
import { signIn } from './world/session.ts';

/** Complaints of the browser: console errors and warnings, and uncaught exceptions. */
class Complaints {
  readonly #heard: string[] = [];
  readonly #expected: string[] = [];

  /** Allows a refusal on this path: the browser's console reports refusals, so a test that provokes one must say so. */
  expectOf(path: string): void {
    this.#expected.push(path);
  }

  listenTo(context: BrowserContext): void {
    context.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()))
        this.#heard.push(`${message.type()}: ${message.text()} (${message.location().url})`);
    });
    context.on('weberror', (error) => this.#heard.push(`uncaught: ${String(error.error().stack)}`));
  }

  unexpected(): string[] {
    return this.#heard.filter((line) => !this.#expected.some((path) => line.includes(path)));
  }
}

interface Fixtures {
  readonly complaints: Complaints;
  /** A page in a browser in which this user has signed in. */
  readonly as: (account: string, options?: BrowserContextOptions) => Promise<Page>;
  readonly merchantEndpoint: MerchantEndpoint;
}

export const test = base.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names a fixture needs from its parameter
  baseURL: async ({}, provide) => provide(serverUrl),
  complaints: [
    async ({ context }, provide) => {
      const complaints = new Complaints();
      complaints.listenTo(context);
      await provide(complaints);
      base.expect(complaints.unexpected(), 'what the browser complained of').toEqual([]);
    },
    { auto: true },
  ],
  as: async ({ browser, complaints }, provide) => {
    const opened: BrowserContext[] = [];
    await provide(async (account, options = {}) => {
      const context = await browser.newContext(options);
      opened.push(context);
      await signIn(context, account);
      complaints.listenTo(context);
      return context.newPage();
    });
    for (const context of opened) await context.close();
  },
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names a fixture needs from its parameter
  merchantEndpoint: async ({}, provide) => {
    const endpoint = await openMerchantEndpoint();
    await provide(endpoint);
    await endpoint.close();
  },
});

export const { expect } = base;

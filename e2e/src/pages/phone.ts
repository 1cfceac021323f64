/// <reference lib="dom" />
import type { Page } from '@playwright/test';

export const PHONE = {
  viewport: { width: 360, height: 740 },
  isMobile: true,
  hasTouch: true,
  permissions: ['clipboard-read', 'clipboard-write'],
};
export const PATH = '/m/';

/** Waits for the page's service worker, which caches the app shell from then on. */
export const untilKept = (page: Page) =>
  page.waitForFunction(async () => {
    await navigator.serviceWorker.ready;
    return navigator.serviceWorker.controller !== null;
  });

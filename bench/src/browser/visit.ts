/// <reference lib="dom" />
import type { Browser, BrowserContextOptions } from '@playwright/test';

/** A page to open, and the element that must be drawn before anybody can work with it. */
export interface PageToOpen {
  readonly path: string;
  /** CSS selector of an element that is drawn once the page is usable. */
  readonly usable: string;
  /** How many such elements; 1 by default. */
  readonly count?: number;
}

export interface Visit {
  /** Bytes on the wire with headers, until nothing arrived for half a second after the page was usable. */
  readonly bytes: number;
  /** Milliseconds from the start of the navigation until a frame with the elements was drawn. */
  readonly usableMs: number;
  /** CPU time of the page's main thread until then, in milliseconds. The load of other processes hardly changes it. */
  readonly taskMs: number;
}

const QUIET_MS = 500;
const LIMIT_MS = 60_000;

/** Runs in the page before its own scripts. Checks before every frame whether the page is usable. */
function watch({ usable, count }: { readonly usable: string; readonly count: number }) {
  const isShown = (element: Element) => element.getClientRects().length > 0;
  const look = () => {
    const found = document.documentElement ? [...document.querySelectorAll(usable)].filter(isShown) : [];
    if (found.length < count) requestAnimationFrame(look);
    // The frame requested here is drawn before the next task.
    else
      requestAnimationFrame(() => setTimeout(() => Object.assign(window, { usableAt: performance.now() })));
  };
  requestAnimationFrame(look);
}

/** Opens the page in a fresh profile. `slowdown` divides the speed of the page's processor. */
export async function visit(
  browser: Browser,
  url: string,
  page: PageToOpen,
  state: BrowserContextOptions['storageState'],
  slowdown: number,
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    ...(state ? { storageState: state } : {}),
  });
  try {
    const tab = await context.newPage();
    const wire = await context.newCDPSession(tab);
    let bytes = 0;
    let lastAt = 0;
    wire.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
      lastAt = performance.now();
    });
    await wire.send('Network.enable');
    await wire.send('Performance.enable', { timeDomain: 'threadTicks' });
    await wire.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    // Requests to other hosts are aborted, so that nothing waits for them.
    await context.route(
      (asked) => !asked.href.startsWith(url),
      (route) => route.abort(),
    );
    await tab.addInitScript(watch, { usable: page.usable, count: page.count ?? 1 });
    await tab.goto(url + page.path, { waitUntil: 'commit' });
    const usable = await tab.waitForFunction(() => (window as { usableAt?: number }).usableAt, undefined, {
      timeout: LIMIT_MS,
      polling: 50,
    });
    const { metrics } = await wire.send('Performance.getMetrics');
    const usableMs = (await usable.jsonValue()) ?? Number.NaN;
    do await tab.waitForTimeout(QUIET_MS / 5);
    while (performance.now() - lastAt < QUIET_MS);
    return {
      bytes,
      usableMs,
      taskMs: 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN),
    };
  } finally {
    await context.close();
  }
}

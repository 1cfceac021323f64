/// <reference lib="dom" />
import { parseArgs } from 'node:util';
import { chromium, type CDPSession, type Page, type Request } from '@playwright/test';
import { mayOpen, SCREENS } from '@sangam/contract/screens.ts';
import { CHROMIUM_ARGS, systemChromium } from '@sangam/e2e/chromium.ts';
import { startDemo } from './browser/demo-server.ts';

/*
 * The memory that a console keeps when it is used all day: its JavaScript heap after `--changes` changes of route, over the heap
 * before them. Both are measured after a garbage collection, on the real server in real Chromium. Every screen of an admin has been
 * open before, so its code and its tab count on both sides.
 *
 *   npm run bench -- heap [--changes 200]
 */
const { values } = parseArgs({
  options: { changes: { type: 'string', default: '200' }, port: { type: 'string', default: '8396' } },
});
const FLOOR = 1.3;
const SETTLE_MS = 150;
const SLOWEST_MS = 10_000;
const changes = Number(values.changes);
const paths = SCREENS.filter(
  (screen) => screen.roles !== 'public' && mayOpen('admin', screen) && !screen.path.includes(':'),
).map(({ path }) => path);

/**
 * Megabytes in use, once a further collection frees nothing more. A collection frees less while deferred work (React's effects,
 * idle callbacks) still holds the previous screen: a single reading was up to a quarter too high.
 */
async function heapMB(page: Page, wire: CDPSession): Promise<number> {
  for (let last = Infinity; ;) {
    await wire.send('HeapProfiler.collectGarbage');
    const { usedSize } = await wire.send('Runtime.getHeapUsage');
    if (usedSize > last * 0.99) return usedSize / 1e6;
    last = usedSize;
    await page.waitForTimeout(SETTLE_MS);
  }
}

const demo = await startDemo(Number(values.port));
const executablePath = systemChromium();
const browser = await chromium.launch({ args: CHROMIUM_ARGS, ...(executablePath ? { executablePath } : {}) });
try {
  const context = await browser.newContext({ locale: 'en-US', storageState: await demo.signedIn('admin') });
  const page = await context.newPage();
  const wire = await context.newCDPSession(page);
  const underWay = new Set<Request>();
  page.on('request', (request) => underWay.add(request));
  page.on('requestfinished', (request) => underWay.delete(request));
  page.on('requestfailed', (request) => underWay.delete(request));
  await page.goto(`${demo.url}/home`);
  await page.getByRole('tabpanel').first().waitFor();
  const go = async (path: string) => {
    // Does for the router what a click on a link does.
    await page.evaluate((to) => {
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, path);
    // Until nothing is loading: code that loads late counts as open too.
    const limit = performance.now() + SLOWEST_MS;
    do await page.waitForTimeout(SETTLE_MS);
    while (underWay.size > 0 && performance.now() < limit);
  };
  for (const path of [...paths, ...paths]) await go(path);
  const before = await heapMB(page, wire);
  for (let change = 0; change < changes; change += 1) {
    await go(paths[change % paths.length]!);
    if ((change + 1) % 50 === 0)
      console.log(`  after ${change + 1}: ${(await heapMB(page, wire)).toFixed(1)} MB`);
  }
  const after = await heapMB(page, wire);
  const ratio = after / before;
  console.log(
    `heap after ${changes} changes between ${paths.length} screens: ${before.toFixed(1)} to ${after.toFixed(1)} MB, ratio ${ratio.toFixed(2)}, floor ${FLOOR}`,
  );
  if (ratio > FLOOR) process.exitCode = 1;
} finally {
  await browser.close();
  await demo.stop();
}

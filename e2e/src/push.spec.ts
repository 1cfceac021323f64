/// <reference lib="dom" />
import { CHROMIUM_ARGS, systemChromium } from './chromium.ts';
import { PATH, PHONE, untilKept } from './pages/phone.ts';
import { expect, test } from './test.ts';

// Notifications need the whole Chromium.
const executablePath = systemChromium();
test.use({
  launchOptions: { args: CHROMIUM_ARGS, ...(executablePath ? { executablePath } : { channel: 'chromium' }) },
});

test('a phone gets notices of new payouts only while they are switched on', async ({ as, baseURL }) => {
  const page = await as('supplier1', { ...PHONE, permissions: ['notifications'] });
  // The test browser has no push service.
  await page.addInitScript(() => {
    let current: object | null = null;
    const made = {
      endpoint: 'http://127.0.0.1:9/device',
      toJSON: () => ({ endpoint: made.endpoint, keys: { p256dh: 'BCVx', auth: 'BTBZ' } }),
      unsubscribe: () => {
        current = null;
        return Promise.resolve(true);
      },
    };
    Object.assign(PushManager.prototype, {
      subscribe: () => Promise.resolve((current = made)),
      getSubscription: () => Promise.resolve(current),
    });
  });
  await page.goto(PATH);
  await untilKept(page);
  await page.getByRole('button', { name: 'Menu' }).tap();
  const told = page.waitForResponse('**/v1.0/push/subscribe');
  await page.getByRole('button', { name: 'Notify me of new payouts' }).tap();
  expect(await (await told).json()).toMatchObject({ code: 200 });
  const off = page.waitForResponse('**/v1.0/push/unsubscribe');
  await page.getByRole('button', { name: 'Stop notifying this phone' }).tap();
  expect(await (await off).json()).toMatchObject({ code: 200 });
  await expect(page.getByRole('button', { name: 'Notify me of new payouts' })).toBeVisible();

  // A push shows a notification.
  const devtools = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) =>
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.endsWith('/m/'));
      if (own) resolve(own.registrationId);
    }),
  );
  await devtools.send('ServiceWorker.enable');
  await devtools.send('ServiceWorker.deliverPushMessage', {
    origin: baseURL!,
    registrationId: await registered,
    data: JSON.stringify({ body: 'There are new payouts to claim' }),
  });
  const shown = () =>
    page.evaluate(async () =>
      (await (await navigator.serviceWorker.ready).getNotifications()).map(({ body, tag }) => [body, tag]),
    );
  await expect.poll(shown).toEqual([['There are new payouts to claim', 'payouts']]);
});

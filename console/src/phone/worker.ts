/*
 * The service worker of the supplier's phone app. It caches the app shell, so that the app opens without a connection, and nothing
 * else. Calls are not cached, and a call that moves money is never kept to be sent later.
 */
interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Fetching extends Lasting {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

interface Pushed extends Lasting {
  readonly data: { json(): unknown } | null;
}

interface Touched extends Lasting {
  readonly notification: Notification;
}

interface Scope {
  addEventListener(name: 'install' | 'activate', act: (event: Lasting) => void): void;
  addEventListener(name: 'fetch', act: (event: Fetching) => void): void;
  addEventListener(name: 'push', act: (event: Pushed) => void): void;
  addEventListener(name: 'notificationclick', act: (event: Touched) => void): void;
  addEventListener(name: 'message', act: (event: MessageEvent) => void): void;
  skipWaiting(): Promise<void>;
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(): Promise<readonly { readonly url: string; focus(): Promise<unknown> }[]>;
    openWindow(url: string): Promise<unknown>;
  };
}

/** Addresses of the shell's files. The build writes them here (see phone/vite.config.ts), so each build makes a different worker. */
declare const SHELL: readonly string[];

const HOME = '/m/';
const SHELL_CACHE = 'sangam-phone-shell';
const NEXT_CACHE = `${SHELL_CACHE}-next`;
const scope = self as unknown as Scope;

scope.addEventListener('install', (event) => {
  // Cached beside the shell that is in use.
  event.waitUntil(caches.delete(NEXT_CACHE).then(async () => (await caches.open(NEXT_CACHE)).addAll(SHELL)));
});

scope.addEventListener('activate', (event) => event.waitUntil(takeOver()));

// The user has accepted the new version.
scope.addEventListener('message', ({ data }) => {
  if (data === 'takeOver') void scope.skipWaiting();
});

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  const isHome = request.mode === 'navigate' && pathname === HOME;
  if (isHome || (pathname !== HOME && SHELL.includes(pathname)))
    event.respondWith(fromShell(isHome ? HOME : pathname, request));
});

// Browsers block an app that gets a push and shows nothing. A newer notice replaces the one before.
scope.addEventListener('push', (event) => {
  const said = event.data?.json() as { readonly body?: string } | undefined;
  const notice = { body: said?.body ?? '', tag: 'payouts', icon: '/m/icon-192.png' };
  event.waitUntil(scope.registration.showNotification('Sangam', notice));
});

scope.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openApp());
});

/** Focuses the open window, or opens one. */
async function openApp(): Promise<void> {
  const [open] = await scope.clients.matchAll();
  if (open) await open.focus();
  else await scope.clients.openWindow(HOME);
}

async function takeOver(): Promise<void> {
  const next = await caches.open(NEXT_CACHE);
  await caches.delete(SHELL_CACHE);
  const shell = await caches.open(SHELL_CACHE);
  for (const request of await next.keys()) {
    const kept = await next.match(request);
    if (kept) await shell.put(request, kept);
  }
  await caches.delete(NEXT_CACHE);
  await scope.clients.claim();
}

async function fromShell(path: string, request: Request): Promise<Response> {
  return (await (await caches.open(SHELL_CACHE)).match(path)) ?? fetch(request);
}

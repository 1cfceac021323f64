/*
 * The service worker of the supplier's phone: it keeps the shell, so that the app opens without a connection, and nothing else. Calls
 * pass it by; what moves money is never kept to be sent later.
 */
interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Fetching extends Lasting {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

interface Scope {
  addEventListener(name: 'install' | 'activate', act: (event: Lasting) => void): void;
  addEventListener(name: 'fetch', act: (event: Fetching) => void): void;
  addEventListener(name: 'message', act: (event: MessageEvent) => void): void;
  skipWaiting(): Promise<void>;
  readonly clients: { claim(): Promise<void> };
}

/** Addresses of the shell; the build writes them here (see phone/vite.config.ts), so another build is another worker. */
declare const SHELL: readonly string[];

const HOME = '/m/';
const SHELL_CACHE = 'sangam-phone-shell';
const NEXT_CACHE = `${SHELL_CACHE}-next`;
const scope = self as unknown as Scope;

scope.addEventListener('install', (event) => {
  // Beside the shell that is in use.
  event.waitUntil(caches.delete(NEXT_CACHE).then(async () => (await caches.open(NEXT_CACHE)).addAll(SHELL)));
});

scope.addEventListener('activate', (event) => event.waitUntil(takeOver()));

// The user has said yes to the new version.
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

const WORKER = '/m/worker.js';
const SCOPE = '/m/';
const LOOK_MS = 60 * 60_000;

type TakeOver = () => void;

let ready: TakeOver | undefined;
const listeners = new Set<() => void>();

/** A new version that waits. `ready()` returns the function that switches to it and reloads the page; undefined while none waits. */
export const newVersion = {
  ready: (): TakeOver | undefined => ready,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Registers the service worker. Where there can be none (no TLS, a private window), the app works without it. */
export async function startWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  const registration = await serviceWorker.register(WORKER, { scope: SCOPE });
  const look = () => {
    const { waiting } = registration;
    // The very first worker does not have to wait for an older one.
    if (!waiting || !serviceWorker.controller) return;
    ready = () => {
      serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
      waiting.postMessage('takeOver');
    };
    listeners.forEach((listener) => listener());
  };
  look();
  registration.addEventListener('updatefound', () =>
    registration.installing?.addEventListener('statechange', look),
  );
  setInterval(() => void registration.update().catch(() => undefined), LOOK_MS);
}

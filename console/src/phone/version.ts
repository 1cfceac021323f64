const WORKER = '/m/worker.js';
const SCOPE = '/m/';
const LOOK_MS = 60 * 60_000;

type TakeOver = () => void;

let ready: TakeOver | undefined;
const listeners = new Set<() => void>();

/** A new version waits to be taken: the call does so and loads the page anew. Nothing is swapped before. */
export const newVersion = {
  ready: (): TakeOver | undefined => ready,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Registers the service worker; where there can be none (no TLS, a private window) the app works without. */
export async function startWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  const registration = await serviceWorker.register(WORKER, { scope: SCOPE });
  const look = () => {
    const { waiting } = registration;
    // The first worker of all waits for nobody.
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

import { push as calls } from 'virtual:endpoints/push';
import { chosenLanguage } from '../language/choice.ts';
import { call } from './call.ts';

/** Whether this device shows notices of new payouts; 'impossible' where the browser has no push or the user has denied it. */
export type PushState = 'on' | 'off' | 'impossible';

const registration = (): Promise<ServiceWorkerRegistration | undefined> =>
  'serviceWorker' in navigator && 'PushManager' in globalThis
    ? navigator.serviceWorker.getRegistration()
    : Promise.resolve(undefined);

const current = async () => (await registration())?.pushManager.getSubscription();

async function send(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  const { p256dh, auth } = keys ?? {};
  if (endpoint === undefined || p256dh === undefined || auth === undefined) return;
  await call(calls.savePushSubscription, { endpoint, p256dh, auth, language: chosenLanguage() });
}

export async function pushState(): Promise<PushState> {
  if ((await registration()) === undefined || Notification.permission === 'denied') return 'impossible';
  return (await current()) ? 'on' : 'off';
}

/** Call it from a tap only: browsers do not let a page ask otherwise. */
export async function switchPushOn(): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') return;
  const { publicKey } = await call(calls.getPushKey, {});
  const subscription = await (
    await registration()
  )?.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  });
  if (subscription) await send(subscription);
}

export async function switchPushOff(): Promise<void> {
  const subscription = await current();
  if (!subscription) return;
  const { endpoint } = subscription;
  // The browser drops the subscription even if the server does not hear of it. The server then learns from the push service that it
  // is gone.
  await Promise.allSettled([call(calls.removePushSubscription, { endpoint }), subscription.unsubscribe()]);
}

/** A push service may change the address, and the server may have dropped the subscription, so it is sent again at each start. */
export async function renewPush(): Promise<void> {
  const subscription = await current();
  if (subscription) await send(subscription);
}

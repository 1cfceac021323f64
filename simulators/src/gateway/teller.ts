import { cashfreeEvent } from './cashfree-wire.ts';
import { razorpayXEvent } from './razorpayx-wire.ts';
import type { GatewayStore, TakenPayout, TakenState } from './taken.ts';

/** Sends one event to the listener; returns the HTTP status. */
export type Deliver = (
  payout: TakenPayout,
  event: { readonly body: string; readonly headers: Readonly<Record<string, string>> },
) => Promise<number>;

/** Probabilities (0 to 1) with which the sender misbehaves. */
export interface WebhookMischief {
  readonly random: () => number;
  readonly late: number;
  readonly twice: number;
  readonly forged: number;
}

export interface TellerOptions {
  readonly webhookSecret: string;
  readonly now: () => number;
  readonly deliver: Deliver;
  readonly mischief?: WebhookMischief | undefined;
}

interface Event {
  readonly payout: TakenPayout;
  readonly state: TakenState;
  readonly body: string;
  readonly headers: Record<string, string>;
  tries: number;
}

const MOST_TRIES = 8;
/** Events under way at the same time. */
const LANES = 16;
const SIGNATURES = ['x-razorpay-signature', 'x-webhook-signature'];

/** Reports the states of payouts: each new state once, again where the answer was not 2xx, and in no fixed order. */
export function createReporter(
  store: GatewayStore,
  { webhookSecret, now, deliver, mischief }: TellerOptions,
) {
  const told = new Map<string, TakenState>();
  let queue: Event[] = [];
  const happens = (chance: number) => mischief !== undefined && mischief.random() < chance;

  function gather(): void {
    for (const payout of store.all()) {
      const state = store.stateOf(payout);
      if (told.get(payout.id) === state) continue;
      told.set(payout.id, state);
      queue.push({ payout, state, tries: 0, ...signed(payout) });
    }
  }

  const signed = (payout: TakenPayout) =>
    payout.wire === 'razorpayx'
      ? razorpayXEvent(store, payout, { webhookSecret, nowMs: now() })
      : cashfreeEvent(store, payout, { clientSecret: webhookSecret, nowMs: now() });

  async function send(event: Event): Promise<void> {
    event.tries += 1;
    if (happens(mischief?.forged ?? 0)) {
      const headers = { ...event.headers };
      for (const name of SIGNATURES) if (headers[name]) headers[name] = headers[name].replace(/^./, '~');
      const status = await deliver(event.payout, { body: event.body, headers });
      if (status < 300) throw new Error(`a forged event was answered ${status}`);
    }
    const status = await deliver(event.payout, event).catch(() => 0);
    const isTaken = status >= 200 && status < 300;
    if (isTaken && happens(mischief?.twice ?? 0)) await deliver(event.payout, event);
    if (!isTaken && event.tries < MOST_TRIES) queue.push(event);
  }

  return {
    /** Sends the events that are due; returns their number. */
    async tell(): Promise<number> {
      gather();
      const [due, later]: [Event[], Event[]] = [[], []];
      for (const event of queue) (happens(mischief?.late ?? 0) ? later : due).push(event);
      queue = later;
      if (mischief) due.sort(() => mischief.random() - 0.5);
      const count = due.length;
      const lane = async () => {
        for (let event = due.pop(); event; event = due.pop()) await send(event);
      };
      await Promise.all(Array.from({ length: LANES }, lane));
      return count;
    },
  };
}

import { SECOND } from '../../platform/clock.ts';
import type { Platform } from '../../platform/platform.ts';
import { type OrderNews, type OtherNews, readOrderNews, readOtherNews } from './store.ts';

/** A round's pause. Two statements a round: what a node asks does not grow with its consoles. */
const PAUSE = 300;
/** Rows commit later than their ids and times say, and clocks of nodes differ: each round looks back so far. */
const LOOK_BACK = 3 * SECOND;

export interface News {
  readonly orders: readonly OrderNews[];
  readonly others: readonly OtherNews[];
}

export interface Feed {
  /** Called before a session is looked at whose end must not be missed. */
  start(): void;
  /** When the database last told what is new; undefined while the feed rests. */
  freshAt(): Date | undefined;
  stop(): Promise<void>;
}

/**
 * Reads what happened, on whatever node, from the database: polling is the truth, and needs neither LISTEN nor a place in the
 * money's transactions. `deliver` is called once for each piece of news; a failed round is logged and made up for by the next.
 * It rests while nobody is there to be told.
 */
export function createFeed(
  platform: Platform,
  isWanted: () => boolean,
  deliver: (news: News) => Promise<void>,
): Feed {
  const { db, clock, log } = platform;
  const seenOrders = new Map<bigint, number>();
  const seenOthers = new Map<string, number>();
  let since = clock.now();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let fresh: Date | undefined;
  let active = false;

  async function round(): Promise<void> {
    const began = clock.now();
    const [orders, others] = await Promise.all([
      readOrderNews(db, since, [...seenOrders.keys()]),
      readOtherNews(db, since),
    ]);
    const at = began.getTime();
    for (const { id } of orders) seenOrders.set(id, at);
    const unseen = others.filter(({ kind, key }) => !seenOthers.has(`${kind} ${key}`));
    for (const { kind, key } of unseen) seenOthers.set(`${kind} ${key}`, at);
    forget(seenOrders, at - 3 * LOOK_BACK);
    forget(seenOthers, at - 3 * LOOK_BACK);
    since = new Date(Math.max(since.getTime(), at - LOOK_BACK));
    fresh = began;
    if (orders.length > 0 || unseen.length > 0) await deliver({ orders, others: unseen });
  }

  function schedule(): void {
    timer = setTimeout(() => {
      if (!isWanted()) {
        rest();
        return;
      }
      running = round()
        .catch((error: unknown) => log.error({ err: error }, 'realtime news'))
        .then(() => {
          if (active) schedule();
        });
    }, PAUSE);
  }

  function rest(): void {
    active = false;
    clearTimeout(timer);
    fresh = undefined;
  }

  return {
    start() {
      if (active) return;
      active = true;
      since = clock.now();
      schedule();
    },
    freshAt: () => fresh,
    async stop() {
      rest();
      await running;
    },
  };
}

function forget<Key>(seen: Map<Key, number>, before: number): void {
  for (const [key, at] of seen) if (at < before) seen.delete(key);
}

import { SECOND } from '../../platform/clock.ts';
import type { Platform } from '../../platform/platform.ts';
import { type OrderNews, type OtherNews, readOrderNews, readOtherNews } from './store.ts';

/** The pause between rounds, ms. A round has two statements, however many consoles are connected. */
const PAUSE = 300;
/** How far each round looks back: rows commit later than their ids and times say, and the clocks of nodes differ. */
const LOOK_BACK = 3 * SECOND;

export interface News {
  readonly orders: readonly OrderNews[];
  readonly others: readonly OtherNews[];
}

export interface Feed {
  /** Call this before a session is checked whose end must not be missed. */
  start(): void;
  /** When the feed last read from the database. Undefined while it rests. */
  freshAt(): Date | undefined;
  stop(): Promise<void>;
}

/**
 * Polls the database for what happened on any node. Polling needs neither LISTEN nor work in the transactions of money. `deliver` gets each
 * piece of news once. After a failed round, which is logged, the next round catches up. The feed rests while nobody listens.
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

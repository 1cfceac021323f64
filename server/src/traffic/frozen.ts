import { type Queryable, sql } from '../platform/db/database.ts';
import { keepFresh } from '../platform/keep-fresh.ts';
import { addressMatcher } from '../platform/net/addresses.ts';
import { perPlatform } from '../platform/node-state.ts';
import type { Platform } from '../platform/platform.ts';
import { addressOf } from './address.ts';

interface Known {
  /** Whether an address is exempt: itself, or as part of an exempt network. */
  readonly isExempt: (ip: string) => boolean;
  /** Until when each is frozen, ms since 1970. */
  readonly addresses: ReadonlyMap<string, number>;
  readonly networks: readonly { readonly has: (ip: string) => boolean; readonly until: number }[];
}

export interface FrozenAddresses {
  /** What holds for an address now, by itself or by its network. Undefined: nothing. Answered from memory. */
  standingOf(ip: string): Promise<'frozen' | 'exempt' | undefined>;
  /** Whether new orders from this client address are refused now. Answered from memory. */
  isFrozen(ip: string | null): Promise<boolean>;
  /** Reads them again after a write, so that this node acts on it at once. */
  refresh(): Promise<void>;
}

/** The frozen client addresses, at most a second old on every node. Nothing is written when a freeze ends by time. */
export const frozenAddresses = perPlatform((platform: Platform): FrozenAddresses => {
  const { db, clock, log } = platform;
  const known = keepFresh(
    platform.state,
    () => read(db),
    // Without a word a list that cannot be read would stay for ever.
    (error) => log.warn({ err: error }, 'the frozen addresses were not read'),
  );
  const isListed = ({ addresses, networks }: Known, ip: string): boolean => {
    const now = clock.now().getTime();
    return (addresses.get(ip) ?? 0) > now || networks.some(({ has, until }) => until > now && has(ip));
  };
  return {
    refresh: known.refresh,
    async isFrozen(text) {
      const ip = text === null ? undefined : addressOf(text);
      if (ip === undefined) return false;
      const now = await known.now();
      // An exemption is a promise, so it also holds inside a frozen network. Few addresses are frozen, so it is asked last.
      return isListed(now, ip) && !now.isExempt(ip);
    },
    async standingOf(ip) {
      const now = await known.now();
      if (now.isExempt(ip)) return 'exempt';
      return isListed(now, ip) ? 'frozen' : undefined;
    },
  };
});

async function read(db: Queryable): Promise<Known> {
  const rows = await db.query<{ ip: string; state: 'frozen' | 'exempt'; until: Date }>(sql`
    select ip, state, frozen_until as until from abnormal_ips where state in ('frozen', 'exempt')`);
  const { frozen = [], exempt = [] } = Object.groupBy(rows, ({ state }) => state);
  const { single = [], network = [] } = Object.groupBy(frozen, ({ ip }) =>
    ip.includes('/') ? 'network' : 'single',
  );
  return {
    isExempt: addressMatcher(exempt.map(({ ip }) => ip)),
    addresses: new Map(single.map(({ ip, until }) => [ip, until.getTime()])),
    networks: network.map(({ ip, until }) => ({ has: addressMatcher([ip]), until: until.getTime() })),
  };
}

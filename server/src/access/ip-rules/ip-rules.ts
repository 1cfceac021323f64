import type { IpDoor } from '@sangam/contract/ip-rules.ts';
import { SECOND } from '../../platform/clock.ts';
import { keepFresh } from '../../platform/keep-fresh.ts';
import { perPlatform } from '../../platform/node-state.ts';
import type { Platform } from '../../platform/platform.ts';
import { pointOf } from './ranges.ts';
import type { Comer, IpRule } from './rule.ts';
import { type Sight, ruleAt, sightOf } from './sight.ts';
import { addHits, readRules } from './store.ts';

const FLUSH = 5 * SECOND;

export interface IpRules {
  /** Whether the rules let this address in. Answered from memory, and counted. */
  lets(door: IpDoor, ip: string, comer?: Comer): Promise<boolean>;
  /** Reads the rules again now: called after a write, so that this node applies it at once. */
  refresh(): Promise<void>;
  /** Writes the counts to the database. */
  flush(): Promise<void>;
}

/** With the rules of each kind of caller, which are made at first use: again each second, because rules expire. */
interface Known {
  readonly rules: readonly IpRule[];
  readonly sights: Map<string, Sight>;
}

/** The rules about addresses, at most a second old on every node. */
export const ipRules = perPlatform((platform: Platform): IpRules => {
  const { clock, db, log } = platform;
  const known = keepFresh(platform.state, async (): Promise<Known> => ({
    rules: await readRules(db),
    sights: new Map(),
  }));
  let counted = new Map<bigint, { count: number; lastAt: Date }>();

  async function flush(): Promise<void> {
    if (counted.size === 0) return;
    const hits = [...counted].map(([id, hit]) => ({ id, ...hit }));
    counted = new Map();
    await db.tx((tx) => addHits(tx, hits));
  }
  platform.state.every(FLUSH, () => {
    // The counts only help people to judge a rule, so a failed write is not repeated.
    flush().catch((error: unknown) => log.warn({ err: error }, 'counts of address rules'));
  });

  function sightFor({ rules, sights }: Known, door: IpDoor, comer: Comer): Sight {
    // A caller that a rule names has its own entry; all others share that of their role.
    const named = rules.some(
      ({ subject }) =>
        (subject.kind === 'user' && subject.id === comer.userId) ||
        (subject.kind === 'merchant' && subject.id === comer.merchantId),
    );
    const key = `${door} ${comer.role ?? ''} ${named ? (comer.userId ?? comer.merchantId) : ''}`;
    const before = sights.get(key);
    if (before) return before;
    const made = sightOf(rules, door, comer, clock.now());
    sights.set(key, made);
    return made;
  }

  return {
    refresh: known.refresh,
    flush,
    async lets(door, ip, comer = {}) {
      const now = await known.now();
      if (now.rules.length === 0) return true;
      const sight = sightFor(now, door, comer);
      const point = pointOf(ip);
      if (point === undefined) return !sight.closed;
      const rule = ruleAt(sight, point);
      if (!rule) return !sight.closed;
      counted.set(rule.id, { count: (counted.get(rule.id)?.count ?? 0) + 1, lastAt: clock.now() });
      return rule.effect === 'allow';
    },
  };
});

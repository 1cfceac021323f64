import type { IpDoor } from '@sangam/contract/ip-rules.ts';
import { closeness, type Comer, type IpRule } from './rule.ts';

/** What the rules of one door say to one caller, for every possible address. */
export interface Sight {
  /** The first address of each range, ascending from 0; its rule has the same position in `rules`. */
  readonly starts: readonly bigint[];
  readonly rules: readonly (IpRule | undefined)[];
  /** An allowing rule is about this caller: addresses without a rule are refused. */
  readonly closed: boolean;
}

/**
 * The smallest network that holds the address decides. Of two rules about the same network, the one that names the caller more
 * closely (user or merchant, role, anyone) decides; then the one that denies.
 */
export function sightOf(all: readonly IpRule[], door: IpDoor, comer: Comer, at: Date): Sight {
  const best = new Map<string, { readonly rule: IpRule; readonly rank: number }>();
  let closed = false;
  for (const rule of all) {
    if (rule.door !== door || (rule.expiresAt !== null && rule.expiresAt <= at)) continue;
    const close = closeness(rule, comer);
    if (close === undefined) continue;
    closed ||= rule.effect === 'allow';
    const rank = close * 2 + (rule.effect === 'deny' ? 1 : 0);
    const other = best.get(rule.range.text);
    if (!other || rank > other.rank) best.set(rule.range.text, { rule, rank });
  }
  // Two networks never overlap partly: one lies inside the other or beside it. Of two that begin at the same address the wider
  // comes first.
  const rules = [...best.values()]
    .map(({ rule }) => rule)
    .sort((a, b) => compare(a.range.first, b.range.first) || compare(b.range.last, a.range.last));
  return { ...stretches(rules), closed };
}

function stretches(rules: readonly IpRule[]): Pick<Sight, 'starts' | 'rules'> {
  const starts = [0n];
  const found: (IpRule | undefined)[] = [undefined];
  const open: IpRule[] = [];
  const begin = (start: bigint, rule: IpRule | undefined): void => {
    if (starts.at(-1) === start) found[found.length - 1] = rule;
    else {
      starts.push(start);
      found.push(rule);
    }
  };
  const closeUntil = (address: bigint | undefined): void => {
    for (
      let last = open.at(-1);
      last && (address === undefined || last.range.last < address);
      last = open.at(-1)
    ) {
      open.pop();
      begin(last.range.last + 1n, open.at(-1));
    }
  };
  for (const rule of rules) {
    closeUntil(rule.range.first);
    begin(rule.range.first, rule);
    open.push(rule);
  }
  closeUntil(undefined);
  return { starts, rules: found };
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** The rule that decides about an address (pointOf); undefined where no rule has it. */
export function ruleAt({ starts, rules }: Sight, point: bigint): IpRule | undefined {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= point) low = middle;
    else high = middle - 1;
  }
  return rules[low];
}

export function allows(sight: Sight, point: bigint): boolean {
  const rule = ruleAt(sight, point);
  return rule ? rule.effect === 'allow' : !sight.closed;
}

/** Whether `before` refuses some address that `after` lets in. */
export function letsInMore(before: Sight, after: Sight): boolean {
  return [...before.starts, ...after.starts].some((point) => !allows(before, point) && allows(after, point));
}

import { before, type ChainNode } from './node.ts';

const STEP_LIMIT = 2_000;

type Edge = Pick<ChainNode, 'id' | 'amount' | 'balance'>;

/**
 * The order in which one minute's movements form the fewest and longest trails: the first from a balance the minute may
 * begin with, the last into the one it ends with. Banks give minutes, and bursts arrive shuffled.
 */
export function orderOfMinute<Node extends Edge>(
  nodes: readonly Node[],
  entries: readonly bigint[],
  exit: bigint | undefined,
): Node[] {
  if (nodes.length < 2) return [...nodes];
  let left = nodes.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  let first: Node[] = [];
  for (const entry of entries) {
    const trail = longestTrail(left, entry, exit);
    if (trail.length > first.length) first = trail;
  }
  left = left.filter((node) => !first.includes(node));
  const others: Node[][] = [];
  while (left.length > 0) {
    const trail = bestTrail(left, exit);
    others.push(trail);
    left = left.filter((node) => !trail.includes(node));
  }
  // As they were told, where the balances do not say.
  others.sort((a, b) => (firstReported(a) < firstReported(b) ? -1 : 1));
  const ends = others.filter((trail) => trail.at(-1)!.balance === exit);
  return [first, ...others.filter((trail) => !ends.includes(trail)), ...ends].reduce((all, trail) => [
    ...all,
    ...trail,
  ]);
}

function firstReported(trail: readonly Edge[]): bigint {
  return trail.reduce((least, { id }) => (id < least ? id : least), trail[0]!.id);
}

/** The longest trail from wherever a trail can begin: where more leads out than in, else anywhere. */
function bestTrail<Node extends Edge>(nodes: readonly Node[], exit: bigint | undefined): Node[] {
  const surplus = new Map<bigint, number>();
  for (const node of nodes) {
    surplus.set(before(node), (surplus.get(before(node)) ?? 0) + 1);
    surplus.set(node.balance, (surplus.get(node.balance) ?? 0) - 1);
  }
  const starts = new Set(nodes.map(before));
  const heads = [...starts].filter((value) => surplus.get(value)! > 0);
  let best: Node[] = [];
  for (const start of heads.length > 0 ? heads : starts) {
    const trail = longestTrail(nodes, start, exit);
    if (trail.length > best.length) best = trail;
  }
  return best;
}

/** Depth first from `start`, each movement once; of equally long ones a trail that ends at `exit`. */
function longestTrail<Node extends Edge>(
  nodes: readonly Node[],
  start: bigint,
  exit: bigint | undefined,
): Node[] {
  const from = Map.groupBy(nodes, before);
  const used = new Set<Node>();
  const path: Node[] = [];
  let best: Node[] = [];
  let steps = 0;
  const isBetter = () =>
    path.length > best.length ||
    (path.length === best.length && path.length > 0 && path.at(-1)!.balance === exit);
  const walk = (at: bigint): boolean => {
    if (isBetter()) best = [...path];
    if (path.length === nodes.length || steps > STEP_LIMIT) return true;
    for (const node of from.get(at) ?? []) {
      if (used.has(node)) continue;
      steps += 1;
      used.add(node);
      path.push(node);
      if (walk(node.balance)) return true;
      path.pop();
      used.delete(node);
    }
    return false;
  };
  walk(start);
  return best;
}

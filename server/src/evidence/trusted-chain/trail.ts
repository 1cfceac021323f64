import { before, type ChainNode } from './node.ts';

const STEP_LIMIT = 2_000;

type Edge = Pick<ChainNode, 'id' | 'amount' | 'balance'>;

/**
 * Orders the movements of one minute so that they form the fewest and longest trails. The first begins at a balance that the minute may
 * begin with, the last ends at the balance it ends with. Banks state minutes, and the messages of a burst arrive in any order.
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
  // Where the balances do not decide, the order of reporting does.
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

/** The longest trail from a balance where a trail can begin: where more movements leave than arrive, otherwise anywhere. */
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

/** Searches depth first from `start`, each movement once. Of equally long trails, one that ends at `exit` wins. */
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

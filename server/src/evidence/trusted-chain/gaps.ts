import { before, byPosition, type ChainNode, isSetAside } from './node.ts';
import type { Graph } from './graph.ts';

/** Messages of one moment reach us within so many minutes of each other. */
const SHUFFLED_MINUTES = 1;

/** The minutes in which a gap's money moved: where messages came shuffled, its head may have been told before its tail. */
export function minutesOf({ tail, head }: Pick<Gap, 'tail' | 'head'>): {
  readonly from: number;
  readonly to: number;
} {
  return { from: Math.min(tail.minute, head.minute), to: Math.max(tail.minute, head.minute) };
}

/** Two chains that follow each other in time but not in their balances. */
export interface Gap {
  readonly tail: ChainNode;
  readonly head: ChainNode;
  /** What was not told, signed: above zero credits unseen (or a forged debit), below zero debits (or a forged credit). */
  readonly delta: bigint;
}

/** A maximal run of links. Its nodes may be told in another order than they are linked: a message may be late. */
interface Run {
  readonly head: ChainNode;
  readonly tail: ChainNode;
  readonly first: ChainNode;
  readonly last: ChainNode;
}

/**
 * The gaps between the chains of a graph, in the order of time. Orphans, lost forks and runs that others pass over are no
 * part of the account's history. `undetermined` are heads whose predecessor lies before the window.
 */
export function gapsOf(graph: Graph): { readonly gaps: Gap[]; readonly undetermined: Set<bigint> } {
  const gaps: Gap[] = [];
  const undetermined = new Set<bigint>();
  const whole = runsIn(graph);
  // What leads out of the window goes on before it, as a late message does: what stands before its head is not seen here.
  const all = whole.filter(({ tail }) => tail.next === null);
  for (const { head, tail } of whole) if (tail.next !== null) undetermined.add(head.id);
  const runs = all.filter((run, index) => !all.slice(0, index).some((each) => endsAfter(each, run)));
  runs.forEach((run, index) => {
    const { head } = run;
    if (head.previous !== null) return;
    const tail = tailBefore(graph, runs.slice(0, index));
    if (tail === 'unknown') undetermined.add(head.id);
    else if (tail) gaps.push({ tail, head, delta: before(head) - tail.balance });
  });
  return { gaps, undetermined };
}

/** In the order of their first nodes; what began before the window is as old as it shows. */
function runsIn(graph: Graph): Run[] {
  const isHead = (node: ChainNode) => graph.get(node.previous) === undefined && !isSetAside(node);
  const runs = graph.nodes.filter(isHead).map((head): Run => {
    let [tail, first, last] = [head, head, head];
    for (let next = graph.get(head.next); next; next = graph.get(next.next)) {
      tail = next;
      if (byPosition(next, first) < 0) first = next;
      if (byPosition(next, last) > 0) last = next;
    }
    return { head, tail, first, last };
  });
  return runs.toSorted((a, b) => byPosition(a.first, b.first));
}

/** The end of the latest of these runs that no chain passes over; undefined where there is none. */
function tailBefore(graph: Graph, earlier: readonly Run[]): ChainNode | 'unknown' | undefined {
  // Whether one is passed over costs a walk along the chain: asked of the latest first, it is asked about once.
  const latest = earlier.findLast(
    ({ first, last }) => graph.isPassedOver(first.minute, last.minute) !== true,
  );
  return latest?.tail ?? (graph.fromStart ? undefined : 'unknown');
}

/**
 * Whether a run that began before another goes on after it. Where the bank names no time, messages come shuffled, and one minute more
 * says nothing: the runs follow each other.
 */
function endsAfter({ last }: Run, { last: other }: Run): boolean {
  return last.isCoarse || other.isCoarse
    ? last.minute - other.minute > SHUFFLED_MINUTES
    : byPosition(last, other) > 0;
}

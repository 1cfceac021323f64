import { before, byPosition, type ChainNode, isSetAside } from './node.ts';
import type { Graph } from './graph.ts';

/** Messages of one moment arrive within this many minutes of each other. */
const SHUFFLED_MINUTES = 1;

/** The minutes in which a gap's money moved. Messages may arrive in any order, so the head's minute may be before the tail's. */
export function minutesOf({ tail, head }: Pick<Gap, 'tail' | 'head'>): {
  readonly from: number;
  readonly to: number;
} {
  return { from: Math.min(tail.minute, head.minute), to: Math.max(tail.minute, head.minute) };
}

/** What lies between two chains that follow each other in time but not in their balances. */
export interface Gap {
  readonly tail: ChainNode;
  readonly head: ChainNode;
  /**
   * The money that no message reported, signed. Above zero: unseen credits (or a forged debit). Below zero: unseen debits (or a forged
   * credit).
   */
  readonly delta: bigint;
}

/** A maximal run of links: `head` and `tail` by links, `first` and `last` by time. They may differ, because a message may be late. */
interface Run {
  readonly head: ChainNode;
  readonly tail: ChainNode;
  readonly first: ChainNode;
  readonly last: ChainNode;
}

/**
 * The gaps between the chains of a graph, in the order of time. Orphans, forks that lost and runs that another run passes by do not belong
 * to the account's history. `undetermined`: heads whose predecessor lies before the window.
 */
export function gapsOf(graph: Graph): { readonly gaps: Gap[]; readonly undetermined: Set<bigint> } {
  const gaps: Gap[] = [];
  const undetermined = new Set<bigint>();
  const whole = runsIn(graph);
  // A run that leads out of the window continues before it, because a message was late. What comes before its head is not visible here.
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

/** Runs in the order of time. A run that began before the window begins with its first visible node. */
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
  return runs.toSorted((a, b) => {
    if (isOverBefore(a, b)) return -1;
    return isOverBefore(b, a) ? 1 : byPosition(a.first, b.first);
  });
}

/**
 * Whether the first run, of several messages, was over when the second one had hardly begun, which then went on. Where the bank names no
 * time, its messages may have arrived after the first ones of the second run.
 */
function isOverBefore({ head, tail, last }: Run, other: Run): boolean {
  return (
    head !== tail &&
    last.isCoarse &&
    last.minute - other.first.minute <= SHUFFLED_MINUTES &&
    endsAfter(other, { last })
  );
}

/** The tail of the latest of these runs that no chain passes by. Undefined if there is none; 'unknown' if it may lie before the window. */
function tailBefore(graph: Graph, earlier: readonly Run[]): ChainNode | 'unknown' | undefined {
  // The check costs a walk along the chain. From the latest run backwards, one check is usually enough.
  const latest = earlier.findLast(
    ({ first, last }) => graph.isPassedOver(first.minute, last.minute) !== true,
  );
  return latest?.tail ?? (graph.fromStart ? undefined : 'unknown');
}

/**
 * Whether the first run, which began earlier, goes on after the second. Where the bank names no time, messages arrive in any order, so one
 * minute more means nothing: the runs follow each other.
 */
function endsAfter({ last }: Pick<Run, 'last'>, { last: other }: Pick<Run, 'last'>): boolean {
  return last.isCoarse || other.isCoarse
    ? last.minute - other.minute > SHUFFLED_MINUTES
    : byPosition(last, other) > 0;
}

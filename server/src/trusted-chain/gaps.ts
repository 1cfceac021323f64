import { before, byPosition, type ChainNode } from './node.ts';
import type { Graph } from './graph.ts';

/** Two chains that follow each other in time but not in their balances. */
export interface Gap {
  readonly tail: ChainNode;
  readonly head: ChainNode;
  /** What was not told, signed: above zero credits unseen (or a forged debit), below zero debits (or a forged credit). */
  readonly delta: bigint;
}

/**
 * The gaps between the chains of a graph, in the order of time. Orphans, lost forks and runs that others pass over are no
 * part of the account's history. `undetermined` are heads whose predecessor lies before the window.
 */
export function gapsOf(graph: Graph): { readonly gaps: Gap[]; readonly undetermined: Set<bigint> } {
  const gaps: Gap[] = [];
  const undetermined = new Set<bigint>();
  const history = graph.nodes.filter((node) => node.state !== 'orphan' && node.state !== 'fork');
  history.forEach((head, index) => {
    if (head.previous !== null) return;
    const tail = tailBefore(graph, history, index);
    if (tail === 'unknown') undetermined.add(head.id);
    else if (tail) gaps.push({ tail, head, delta: before(head) - tail.balance });
  });
  return { gaps, undetermined };
}

/** The chain's end before a head; undefined where there is none, or another chain passes over the head. */
function tailBefore(
  graph: Graph,
  history: readonly ChainNode[],
  index: number,
): ChainNode | 'unknown' | undefined {
  const head = history[index]!;
  for (let at = index - 1; at >= 0; at -= 1) {
    const node = history[at]!;
    if (node.next === null) {
      if (graph.isPassedOver(startOf(graph, node).minute, node.minute) !== true) return node;
      continue;
    }
    const next = graph.get(node.next);
    if (!next || byPosition(next, head) > 0) return undefined;
  }
  return graph.fromStart ? undefined : 'unknown';
}

function startOf(graph: Graph, tail: ChainNode): ChainNode {
  let first = tail;
  for (let previous = graph.get(first.previous); previous; previous = graph.get(first.previous))
    first = previous;
  return first;
}

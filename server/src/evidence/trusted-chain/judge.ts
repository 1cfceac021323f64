import type { Graph } from './graph.ts';
import { type ChainNode, isReal, isSetAside } from './node.ts';

/** What a message must show before it completes an order by itself. Amounts in minor units; 0 checks all. */
export interface Demands {
  readonly minReliableChainSize: number;
  readonly minReliableCheckSize: number;
  /** Minutes. */
  readonly minReliableCheckTimeRange: number;
  readonly minReliableCheckAmount: bigint;
}

/** Whether amounts as large as this need proof by their neighbours. */
export function isChecked(amount: bigint, { minReliableCheckAmount }: Demands): boolean {
  return amount >= minReliableCheckAmount;
}

/**
 * Whether the chain bears a message out by now (docs/domain.md#when-a-credit-passes). None passes beside another chain. A small one needs a predecessor, or to be the account's
 * first, or a gap before it that is explained in several ways; a large one stands in a trusted chain with enough real neighbours near in time, one of them after it: an insider can
 * forge the last message, not the next.
 */
export function passes(graph: Graph, node: ChainNode, demands: Demands, isPlausible = false): boolean {
  const isFirst = graph.fromStart && node === graph.nodes[0];
  if (isSetAside(node) || (node.previous === null && !isFirst && !isPlausible) || graph.isCrossed(node))
    return false;
  if (node.isSurplus && node.next === null) return false;
  const amount = node.amount < 0n ? -node.amount : node.amount;
  if (!isChecked(amount, demands)) return true;
  if (node.previous === null && !isFirst) return false;
  const behind = realRun(graph, node, 'previous', demands.minReliableChainSize);
  const ahead = realRun(graph, node, 'next', demands.minReliableChainSize);
  const isNear = (other: ChainNode) =>
    Math.abs(other.minute - node.minute) <= demands.minReliableCheckTimeRange;
  const near = [...behind, ...ahead].filter(isNear).length + 1;
  return (
    isReal(node) &&
    behind.length + ahead.length + 1 >= demands.minReliableChainSize &&
    near >= demands.minReliableCheckSize &&
    ahead.some(isNear)
  );
}

/** Real nodes next to each other from a node on, the node itself left out. */
function realRun(graph: Graph, node: ChainNode, way: 'previous' | 'next', most: number): ChainNode[] {
  const run: ChainNode[] = [];
  for (let at = graph.get(node[way]); at && isReal(at) && run.length < most; at = graph.get(at[way]))
    run.push(at);
  return run;
}

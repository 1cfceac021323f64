import type { Graph } from './graph.ts';
import { type ChainNode, isReal, isSetAside } from './node.ts';

/**
 * What a message must show before it completes an order by itself. Amounts in minor units. With a check amount of 0 every amount is
 * checked.
 */
export interface Demands {
  readonly minReliableChainSize: number;
  readonly minReliableCheckSize: number;
  /** Minutes. */
  readonly minReliableCheckTimeRange: number;
  readonly minReliableCheckAmount: bigint;
}

/** Whether an amount is so large that the message's neighbours must prove it. */
export function isChecked(amount: bigint, { minReliableCheckAmount }: Demands): boolean {
  return amount >= minReliableCheckAmount;
}

/**
 * Whether the chain corroborates a message now (docs/domain.md#when-a-credit-passes). A message between whose neighbours another chain lies
 * never passes. A small amount needs a predecessor, or is the account's first, or has a gap before it with several explanations
 * (`isPlausible`). A large one needs a trusted chain with enough real neighbours near in time, one of them after it: an insider can forge
 * the last message, not the next.
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

/** The unbroken run of real nodes on one side of a node, without the node itself; at most `most`. */
function realRun(graph: Graph, node: ChainNode, way: 'previous' | 'next', most: number): ChainNode[] {
  const run: ChainNode[] = [];
  for (let at = graph.get(node[way]); at && isReal(at) && run.length < most; at = graph.get(at[way]))
    run.push(at);
  return run;
}

import type { CHAIN_STATES } from '@sangam/contract/chain.ts';
import { type ChainNode, isReal } from './node.ts';

/** A maximal run of linked nodes. */
export interface ChainRun {
  readonly state: (typeof CHAIN_STATES)[number];
  readonly nodes: readonly ChainNode[];
}

/**
 * The chains among an account's nodes, in the order of time: suspect where a node is a fork or an orphan, trusted once so many
 * real nodes stand next to each other, closed where a later chain goes on without it.
 */
export function runsOf(nodes: readonly ChainNode[], minReliableChainSize: number): ChainRun[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const heads = nodes.filter((node) => node.previous === null || !byId.has(node.previous));
  return heads.map((head, index) => {
    const own: ChainNode[] = [];
    for (let node: ChainNode | undefined = head; node; node = byId.get(node.next ?? -1n)) own.push(node);
    if (own.some(({ state }) => state === 'fork' || state === 'orphan'))
      return { state: 'suspect', nodes: own };
    if (index < heads.length - 1) return { state: 'closed', nodes: own };
    return { state: longestReal(own) >= minReliableChainSize ? 'trusted' : 'forming', nodes: own };
  });
}

function longestReal(nodes: readonly ChainNode[]): number {
  let longest = 0;
  let length = 0;
  for (const node of nodes) {
    length = isReal(node) ? length + 1 : 0;
    longest = Math.max(longest, length);
  }
  return longest;
}

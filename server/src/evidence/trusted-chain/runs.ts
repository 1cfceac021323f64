import type { CHAIN_STATES } from '@sangam/contract/chain.ts';
import { type ChainNode, chainsOf, isReal, isSetAside } from './node.ts';

/** A maximal run of linked nodes. */
export interface ChainRun {
  readonly state: (typeof CHAIN_STATES)[number];
  readonly nodes: readonly ChainNode[];
}

/**
 * The chains among an account's nodes, in the order of time. Suspect: a node is set aside. Closed: a later chain that is not suspect goes
 * on without it. Trusted: `minReliableChainSize` real nodes stand next to each other. Otherwise forming.
 */
export function runsOf(nodes: readonly ChainNode[], minReliableChainSize: number): ChainRun[] {
  const chains = chainsOf(nodes);
  const last = chains.findLast((own) => !isSuspect(own));
  return chains.map((own) => {
    if (isSuspect(own)) return { state: 'suspect', nodes: own };
    if (own !== last) return { state: 'closed', nodes: own };
    return { state: longestReal(own) >= minReliableChainSize ? 'trusted' : 'forming', nodes: own };
  });
}

function isSuspect(nodes: readonly ChainNode[]): boolean {
  return nodes.some(isSetAside);
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

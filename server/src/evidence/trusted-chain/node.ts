import { type CHAIN_NODE_STATES, SET_ASIDE_STATES } from '@sangam/contract/chain.ts';

/** States of a node as the list shows them. A message that states no balance and explains no gap is no node. */
export type NodeState = (typeof CHAIN_NODE_STATES)[number];

const SET_ASIDE: ReadonlySet<NodeState> = new Set(SET_ASIDE_STATES);

export function isSetAside({ state }: Pick<ChainNode, 'state'>): boolean {
  return SET_ASIDE.has(state);
}

/**
 * A movement of one account, as an edge in the graph of its balances: from `before` to `balance` (docs/domain.md#the-model). Amounts in
 * minor units, signed: a credit is positive.
 */
export interface ChainNode {
  /** The message's id. A node of a patch stands for no message and has an id of its own. */
  readonly id: bigint;
  readonly accountId: bigint;
  /** message: the bank stated the balance. inferred: it did not, and only this balance fits. patch: no message reported it. */
  readonly kind: 'message' | 'inferred' | 'patch';
  /** The patch that the node belongs to. */
  readonly patchId: bigint | null;
  readonly amount: bigint;
  readonly balance: bigint;
  /** Minutes since 1970, because banks state minutes. */
  readonly minute: number;
  /** The time is the device's, because the bank named none, or none as fine as a minute. */
  readonly isCoarse: boolean;
  /** The account's minute had perMinuteFreqCount messages already, so this one must be linked on both sides. */
  readonly isSurplus: boolean;
  /** Position within the minute, found by `orderOfMinute`. */
  place: number;
  /** Another node claims the same place, and this one does not hold it. */
  isFork: boolean;
  state: NodeState;
  previous: bigint | null;
  next: bigint | null;
}

export function before(node: Pick<ChainNode, 'balance' | 'amount'>): bigint {
  return node.balance - node.amount;
}

/** Whether the bank itself stated the balance. Only such nodes prove anything. */
export function isReal(node: ChainNode): boolean {
  return node.kind === 'message';
}

export function isLinked(node: ChainNode): boolean {
  return node.previous !== null || node.next !== null;
}

/** The order of one account's nodes in time. */
export function byPosition(a: ChainNode, b: ChainNode): number {
  return a.minute - b.minute || a.place - b.place || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** The chains in a window, each from its first visible node on. A node without links is a chain of its own. */
export function chainsOf(nodes: readonly ChainNode[]): ChainNode[][] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return headsOf(nodes, byId).map((head) => chainFrom(head, byId));
}

/** The nodes whose predecessor is not among these. */
export function headsOf(
  nodes: readonly ChainNode[],
  byId: ReadonlyMap<bigint, ChainNode>,
): readonly ChainNode[] {
  return nodes.filter(
    ({ previous }, index) =>
      previous === null ||
      // Most nodes stand directly after their predecessor. Comparing ids takes 5 ns, a look-up by id 30 to 50 ns.
      (previous !== nodes[index - 1]?.id && !byId.has(previous)),
  );
}

/** The node, and everything that is linked after it. */
export function chainFrom(head: ChainNode, byId: ReadonlyMap<bigint, ChainNode>): ChainNode[] {
  const own: ChainNode[] = [];
  for (let node: ChainNode | undefined = head; node; node = byId.get(node.next ?? -1n)) own.push(node);
  return own;
}

import { type CHAIN_NODE_STATES, SET_ASIDE_STATES } from '@sangam/contract/chain.ts';

/** States of a node as the list shows them; a message without balance that explains nothing is no node. */
export type NodeState = (typeof CHAIN_NODE_STATES)[number];

const SET_ASIDE: ReadonlySet<NodeState> = new Set(SET_ASIDE_STATES);

export function isSetAside({ state }: Pick<ChainNode, 'state'>): boolean {
  return SET_ASIDE.has(state);
}

/**
 * A movement of one account as an edge in the graph of its balances: from `before` to `balance` (docs/domain.md#the-model).
 * Amounts in minor units, signed: a credit is positive.
 */
export interface ChainNode {
  /** The message's id, or one of its own where a patch stands for what no message told. */
  readonly id: bigint;
  readonly accountId: bigint;
  /** message: the bank stated the balance; inferred: it did not, and only this one fits; patch: synthetic. */
  readonly kind: 'message' | 'inferred' | 'patch';
  /** The patch it belongs to. */
  readonly patchId: bigint | null;
  readonly amount: bigint;
  readonly balance: bigint;
  /** Minutes since 1970: banks give minutes. */
  readonly minute: number;
  /** The time is the device's, because the bank named none as fine as a minute. */
  readonly isCoarse: boolean;
  /** Came when its account's minute was full already (perMinuteFreqCount): it must be linked on both sides. */
  readonly isSurplus: boolean;
  /** Order within the minute, found by the trail. */
  place: number;
  /** Shares its place with another that also claims it, and does not hold it. */
  isFork: boolean;
  state: NodeState;
  previous: bigint | null;
  next: bigint | null;
}

export function before(node: Pick<ChainNode, 'balance' | 'amount'>): bigint {
  return node.balance - node.amount;
}

/** Whether the bank itself stated its balance: only such nodes prove anything. */
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

/** A window's nodes by how they link: each chain from the first of its nodes that stands there on, a lone node for itself. */
export function chainsOf(nodes: readonly ChainNode[]): ChainNode[][] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return headsOf(nodes, byId).map((head) => chainFrom(head, byId));
}

/** The nodes that come from none of these. */
export function headsOf(
  nodes: readonly ChainNode[],
  byId: ReadonlyMap<bigint, ChainNode>,
): readonly ChainNode[] {
  return nodes.filter(
    ({ previous }, index) =>
      previous === null ||
      // Most come from the one they stand after: comparing ids takes 5 ns, looking one up by it 30 to 50.
      (previous !== nodes[index - 1]?.id && !byId.has(previous)),
  );
}

/** What is linked to a node and after it, the node first. */
export function chainFrom(head: ChainNode, byId: ReadonlyMap<bigint, ChainNode>): ChainNode[] {
  const own: ChainNode[] = [];
  for (let node: ChainNode | undefined = head; node; node = byId.get(node.next ?? -1n)) own.push(node);
  return own;
}

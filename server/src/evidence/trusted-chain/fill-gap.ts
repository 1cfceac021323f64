import type { Tx } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { refuse, type Refusal } from '../../platform/refusal.ts';
import { type Chain, endSuperseded, inferFloats, newNode, readChains, saveChains } from './place.ts';
import { lockChains } from './store.ts';

/** Holds an account's chain until the transaction ends, so that nothing is placed meanwhile. */
export function holdChain(platform: Platform, tx: Tx, accountId: bigint): Promise<void> {
  return lockChains(tx, [accountId], platform.clock.now());
}

/** Holds accounts' chains until the transaction ends, only to wait for those who decide about their messages. */
export function waitForChains(platform: Platform, tx: Tx, accountIds: readonly bigint[]): Promise<void> {
  return lockChains(tx, accountIds, platform.clock.now(), { isLook: true });
}

/** A gap between two nodes of an account's chain. */
interface Span {
  readonly accountId: bigint;
  readonly tailId: bigint;
  readonly headId: bigint;
  readonly fromMinute: number;
}

/**
 * Puts nodes that no message reported into a gap, one for each signed amount, starting at the tail's balance. The caller holds the chain.
 * Returns false and writes nothing if they do not link the two ends of the gap.
 */
export async function fillGap(
  platform: Platform,
  tx: Tx,
  span: Span,
  patchId: bigint,
  amounts: readonly bigint[],
): Promise<boolean> {
  const { graph, ...chain } = await chainFrom(platform, tx, span.accountId, span.fromMinute);
  const [tail, head] = [graph.get(span.tailId), graph.get(span.headId)];
  if (!tail || !head) return false;
  let { balance } = tail;
  const nodes = amounts.map((amount) => {
    balance += amount;
    const id = platform.ids.next();
    const { accountId } = span;
    return newNode({ id, accountId, kind: 'patch', patchId, amount, balance, minute: head.minute });
  });
  graph.add(nodes);
  if (graph.get(span.tailId)!.next !== nodes[0]!.id || graph.get(span.headId)!.previous !== nodes.at(-1)!.id)
    return false;
  await saveChains(platform, tx, [{ graph, ...chain }], platform.clock.now());
  return true;
}

/** Takes a patch's nodes out again, so that the gap they closed opens. 409 if the patch has none. */
export async function emptyGap(
  platform: Platform,
  tx: Tx,
  accountId: bigint,
  fromMinute: number,
  patchId: bigint,
): Promise<void | Refusal> {
  const chain = await chainFrom(platform, tx, accountId, fromMinute);
  const nodes = chain.graph.nodes.filter((node) => node.patchId === patchId);
  if (nodes.length === 0) return refuse('conflict');
  chain.graph.remove(nodes);
  await saveChains(platform, tx, [chain], platform.clock.now());
}

/** Ends a live patch that a message contradicts. The admins are notified, and the patch's gap opens again. */
export async function supersedePatch(
  platform: Platform,
  tx: Tx,
  accountId: bigint,
  fromMinute: number,
  patchId: bigint,
): Promise<void> {
  await holdChain(platform, tx, accountId);
  await endSuperseded(platform, tx, new Set([patchId]), platform.clock.now());
  await emptyGap(platform, tx, accountId, fromMinute, patchId);
}

/** Tries again to link nodes that were placed before their neighbours came, however long ago, and to place messages without balance. */
export async function healChain(
  platform: Platform,
  tx: Tx,
  accountId: bigint,
  fromMinute: number,
): Promise<void> {
  const chain = await chainFrom(platform, tx, accountId, fromMinute);
  chain.graph.wake();
  await inferFloats(tx, chain, () => true);
  await saveChains(platform, tx, [chain], platform.clock.now());
}

async function chainFrom(platform: Platform, tx: Tx, accountId: bigint, minute: number): Promise<Chain> {
  const settings = await platform.settings.all();
  const chains = await readChains(tx, [{ accountId, minute }], settings, platform.clock.now());
  return chains.get(accountId)!;
}

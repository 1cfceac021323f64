import { ADMINS } from '@sangam/contract/roles.ts';
import { MINUTE } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { SettingValues } from '../../platform/settings/settings.ts';
import { notify } from '../../inbox/notify.ts';
import { amountText } from '@sangam/contract/money.ts';
import { explanationsOf } from './explain.ts';
import { gapsOf, type Gap, minutesOf } from './gaps.ts';
import { COARSE_REPEAT, Graph } from './graph.ts';
import { type Demands, passes } from './judge.ts';
import { before, type ChainNode, isLinked, isReal } from './node.ts';
import {
  accountNames,
  accountsWithGap,
  closeGaps,
  deleteNodes,
  type Float,
  lockChains,
  openGaps,
  readFloats,
  readOpenGaps,
  readWindows,
  type StoredGap,
  supersedePatches,
  writeNodes,
} from './store.ts';

/** A movement of an account that a message reports; amounts in minor units. */
export interface ReportedMovement {
  readonly messageId: bigint;
  readonly accountId: bigint;
  readonly direction: 'credit' | 'debit';
  readonly amount: bigint;
  readonly balance: bigint | null;
  readonly movedAt: Date;
  /** The bank named at least the minute. */
  readonly isPrecise: boolean;
}

/** At most this many messages without balance explain one gap, unless all that lie between its ends do. */
const MOST_FLOATS = 5;

/**
 * Places messages into their accounts' chains, in the transaction that stores them, and holds each chain until it ends. Returns the
 * messages that their chain corroborates already. A message without balance is no part of a chain, but may explain a gap.
 */
export async function placeMessages(
  platform: Platform,
  tx: Tx,
  reported: readonly ReportedMovement[],
  at: Date,
): Promise<Set<bigint>> {
  const floating = reported.filter(({ balance }) => balance === null);
  const explaining = await accountsWithGap(
    tx,
    floating.map(({ accountId, movedAt }) => ({ accountId, minute: minuteOf(movedAt) })),
  );
  const byAccount = Map.groupBy(
    reported.filter((movement) => hasPlace(movement) || explaining.has(movement.accountId)),
    (movement) => movement.accountId,
  );
  if (byAccount.size === 0) return new Set();
  const settings = await platform.settings.all();
  await lockChains(tx, byAccount.keys(), at);
  const oldest =
    minuteOf(at) - Math.ceil(settings.GlobalSecuritySetting.messageInSecurityChainCacheTime / 60);
  const chains = await readChains(
    tx,
    [...byAccount].map(([accountId, movements]) => ({
      accountId,
      minute: Math.max(oldest, Math.min(...movements.map(({ movedAt }) => minuteOf(movedAt)))),
    })),
    settings,
    at,
  );
  const passed = new Set<bigint>();
  for (const [accountId, movements] of byAccount) {
    const chain = chains.get(accountId)!;
    const placed = movements.filter(hasPlace);
    const nodes = placed.map((movement, index) =>
      nodeOf(movement, [...chain.graph.nodes, ...placed.slice(0, index).map(floatOf)], settings),
    );
    const last = chain.graph.nodes.at(-1);
    // A message that is older than the window and has later nodes is not placed; a patch may take it up.
    const unplaced = nodes.filter(({ minute }) => minute < oldest && last && last.minute > minute);
    const arriving = nodes.filter((node) => !unplaced.includes(node));
    const superseded = supersededBy(chain.graph, arriving);
    chain.graph.remove(superseded);
    await notifySuperseded(platform, tx, superseded, at);
    chain.graph.add(arriving);
    const floats = [
      ...movements.filter(({ balance }) => balance === null).map(floatOf),
      ...superseded.filter(({ kind }) => kind === 'inferred'),
    ];
    const isNew = ({ tail, head }: Gap) =>
      !chain.storedGaps.some((row) => row.tailId === tail.id && row.headId === head.id);
    // A gap that was looked at before, with nothing new between its ends, stays unexplained.
    await inferFloats(tx, chain, (gap) => isNew(gap) || floats.some((float) => isWithin(float, gap)), floats);
    for (const node of arriving) if (isPassed(chain, node.id, settings)) passed.add(node.id);
    chain.unplaced.push(...unplaced);
  }
  await saveChains(platform, tx, [...chains.values()], at);
  return passed;
}

/** Whether a message's chain corroborates it, as the chain is now. */
export function isPassed({ graph, plausible }: Chain, id: bigint, settings: SettingValues): boolean {
  const node = graph.get(id);
  return node !== undefined && passes(graph, node, demandsOf(settings), plausible.has(id));
}

/** An account's chain while it is changed: as it is stored, and as it is now. */
export interface Chain {
  readonly accountId: bigint;
  readonly graph: Graph;
  readonly stored: ReadonlyMap<bigint, ChainNode>;
  readonly storedGaps: readonly StoredGap[];
  /** Stored, but not placed. */
  readonly unplaced: ChainNode[];
  /** Heads after a gap that messages without balance explain in several ways. Nothing contradicts these heads. */
  readonly plausible: Set<bigint>;
}

/** Reads chains from a minute on. A caller that means to change them must hold them (`lockChains`). */
export async function readChains(
  tx: Tx,
  queries: readonly { readonly accountId: bigint; readonly minute: number }[],
  settings: SettingValues,
  at: Date,
): Promise<Map<bigint, Chain>> {
  const { minReliableChainSize, minReliableCheckSize } = settings.SecurityFreqParameters;
  const [windows, gaps] = await Promise.all([
    readWindows(tx, queries, Math.max(minReliableChainSize, minReliableCheckSize) + 8),
    readOpenGaps(
      tx,
      queries.map(({ accountId }) => accountId),
    ),
  ]);
  const asleepBefore = minuteOf(at) - Math.ceil(settings.GlobalSecuritySetting.messageMaxCacheTime / 60);
  return new Map(
    [...windows].map(([accountId, { nodes, fromStart }]) => {
      const asleep = nodes.filter(({ state, minute }) => state === 'pending' && minute < asleepBefore);
      const chain: Chain = {
        accountId,
        graph: new Graph(nodes, fromStart, new Set(asleep.map(({ id }) => id)), minReliableChainSize),
        stored: new Map(nodes.map((node) => [node.id, node])),
        storedGaps: gaps.filter((gap) => gap.accountId === accountId),
        unplaced: [],
        plausible: new Set(),
      };
      return [accountId, chain];
    }),
  );
}

/** Writes what changed: nodes, gaps that opened, and gaps that exist no more. */
export async function saveChains(
  platform: Platform,
  tx: Tx,
  chains: readonly Chain[],
  at: Date,
): Promise<void> {
  const changed: ChainNode[] = [];
  const gone: ChainNode[] = [];
  const opened: (Gap & { readonly accountId: bigint })[] = [];
  const closed: bigint[] = [];
  const beside: bigint[] = [];
  for (const { accountId, graph, stored, storedGaps, unplaced } of chains) {
    if (hasNewlyQuarantined(graph, stored)) beside.push(accountId);
    changed.push(...unplaced, ...graph.nodes.filter((node) => isChanged(node, stored.get(node.id))));
    // A node that is inferred again may get another balance, so its row is deleted and written anew.
    gone.push(...[...stored.values()].filter(({ id, balance }) => graph.get(id)?.balance !== balance));
    const { gaps, undetermined } = gapsOf(graph);
    const isSame = (gap: Gap, row: StoredGap) => gap.tail.id === row.tailId && gap.head.id === row.headId;
    for (const gap of gaps)
      if (gap.delta !== 0n && !storedGaps.some((row) => isSame(gap, row))) opened.push({ accountId, ...gap });
    for (const row of storedGaps) {
      const isSeen = graph.get(row.headId) !== undefined && !undetermined.has(row.headId);
      if (isSeen && !gaps.some((gap) => isSame(gap, row))) closed.push(row.id);
    }
  }
  await deleteNodes(tx, gone);
  await writeNodes(tx, changed);
  await closeGaps(tx, closed, at);
  await openGaps(
    tx,
    opened.map(({ accountId, tail, head, delta }) => {
      const { from, to } = minutesOf({ tail, head });
      const ends = { tailId: tail.id, headId: head.id, fromMinute: from, toMinute: to };
      return { id: platform.ids.next(), accountId, delta, ...ends };
    }),
    at,
  );
  for (const { account } of await accountNames(tx, beside))
    await notify(platform, tx, { roles: ADMINS }, 'chainQuarantined', { account });
}

/** Whether a run is newly quarantined beside the account's chain. The admins are notified of each such run once. */
function hasNewlyQuarantined(graph: Graph, stored: ReadonlyMap<bigint, ChainNode>): boolean {
  const isKnown = ({ id }: ChainNode) => {
    const known = stored.get(id);
    return known !== undefined && known.state === 'orphan' && isLinked(known);
  };
  return graph
    .runs()
    .some(({ isQuarantined, isOlder, nodes }) => isQuarantined && !isOlder && !nodes.some(isKnown));
}

function isChanged(node: ChainNode, stored: ChainNode | undefined): boolean {
  return (
    stored === undefined ||
    node.balance !== stored.balance ||
    node.place !== stored.place ||
    node.isFork !== stored.isFork ||
    node.state !== stored.state ||
    node.previous !== stored.previous ||
    node.next !== stored.next
  );
}

/**
 * Closes gaps that messages without balance explain, if only one set of the messages between its ends does. Those messages get an inferred
 * balance. `arriving`: messages that are not stored yet.
 */
export async function inferFloats(
  tx: Tx,
  chain: Chain,
  isLookedAt: (gap: Gap) => boolean,
  arriving: readonly Float[] = [],
): Promise<void> {
  const gaps = gapsOf(chain.graph).gaps.filter(isLookedAt);
  if (gaps.length === 0) return;
  const spans = gaps.map(minutesOf);
  const from = Math.min(...spans.map((span) => span.from));
  const to = Math.max(...spans.map((span) => span.to));
  const floats = [...(await readFloats(tx, chain.accountId, from, to)), ...arriving];
  for (const gap of gaps) {
    const { tail, head, delta } = gap;
    const between = floats.filter((float) => isWithin(float, gap) && !chain.graph.get(float.id));
    const found = explanationsOf(between, delta, MOST_FLOATS);
    const isOpen = found === 'several' || (found !== 'none' && found.some(isToldBeside(chain.graph)));
    if (isOpen) chain.plausible.add(head.id);
    if (isOpen || found === 'none') continue;
    let { balance } = tail;
    chain.graph.add(
      found.map(({ id, amount, minute }) => {
        balance += amount;
        return newNode({ id, accountId: chain.accountId, kind: 'inferred', amount, balance, minute });
      }),
    );
  }
}

/** Whether a message without balance may be another wording of one that stands in the chain already. */
const isToldBeside =
  ({ nodes }: Graph) =>
  ({ amount, minute }: Float) =>
    nodes.some(
      (node) => isReal(node) && node.amount === amount && Math.abs(node.minute - minute) <= COARSE_REPEAT,
    );

function isWithin({ minute }: Float, gap: Gap): boolean {
  const { from, to } = minutesOf(gap);
  return minute >= from && minute <= to;
}

/**
 * Inferred and patched nodes that stand where an arriving message belongs. A balance that the bank stated counts more. Nodes that fill one
 * gap were found together, so they go together.
 */
function supersededBy(graph: Graph, arriving: readonly ChainNode[]): ChainNode[] {
  const starts = new Set(arriving.map(before));
  const ends = new Set(arriving.map(({ balance }) => balance));
  const superseded = new Set<ChainNode>();
  const take = (node: ChainNode | undefined): void => {
    if (!node || isReal(node) || superseded.has(node)) return;
    superseded.add(node);
    for (const other of [graph.get(node.previous), graph.get(node.next)])
      if (other?.kind === 'inferred') take(other);
    if (node.patchId !== null)
      for (const other of graph.nodes) if (other.patchId === node.patchId) take(other);
  };
  for (const node of graph.nodes) if (starts.has(before(node)) || ends.has(node.balance)) take(node);
  return [...superseded];
}

/** A patch ends as a whole. The admins must check whether an order that it completed was paid twice. */
async function notifySuperseded(
  platform: Platform,
  tx: Tx,
  nodes: readonly ChainNode[],
  at: Date,
): Promise<void> {
  await endSuperseded(platform, tx, new Set(nodes.flatMap(({ patchId }) => patchId ?? [])), at);
}

/** Ends live patches that a message contradicts, and notifies the admins. The caller takes their nodes out of the chain. */
export async function endSuperseded(
  platform: Platform,
  tx: Tx,
  patchIds: ReadonlySet<bigint>,
  at: Date,
): Promise<void> {
  if (patchIds.size === 0) return;
  for (const { account, amount, currency, orders } of await supersedePatches(tx, [...patchIds], at)) {
    const worded = `${currency} ${amountText(amount, currency)}`;
    const data = { account, amount: worded, orders: orders.join(', ') };
    await notify(platform, tx, { roles: ADMINS }, 'patchSuperseded', data);
  }
}

/** Whether the movement states a balance and changes it. */
const hasPlace = ({ balance, amount }: ReportedMovement) => balance !== null && amount !== 0n;

function nodeOf(
  movement: ReportedMovement,
  earlier: readonly Pick<ChainNode, 'minute'>[],
  settings: SettingValues,
): ChainNode {
  const minute = minuteOf(movement.movedAt);
  const inMinute = earlier.filter((node) => node.minute === minute).length;
  return newNode({
    id: movement.messageId,
    accountId: movement.accountId,
    kind: 'message',
    amount: signed(movement),
    balance: movement.balance!,
    minute,
    isCoarse: !movement.isPrecise,
    isSurplus: inMinute >= settings.GlobalSecuritySetting.perMinuteFreqCount,
  });
}

/** A node that is linked to nothing yet. */
export function newNode(
  fields: Pick<ChainNode, 'id' | 'accountId' | 'kind' | 'amount' | 'balance' | 'minute'> & Partial<ChainNode>,
): ChainNode {
  return {
    patchId: null,
    isCoarse: false,
    isSurplus: false,
    place: 0,
    isFork: false,
    state: 'pending',
    previous: null,
    next: null,
    ...fields,
  };
}

function floatOf(movement: ReportedMovement): Float {
  return { id: movement.messageId, amount: signed(movement), minute: minuteOf(movement.movedAt) };
}

function signed({ direction, amount }: ReportedMovement): bigint {
  return direction === 'debit' ? -amount : amount;
}

export function minuteOf(moment: Date): number {
  return Math.floor(moment.getTime() / MINUTE);
}

export function demandsOf(settings: SettingValues): Demands {
  const { minReliableCheckAmount, ...parameters } = settings.SecurityFreqParameters;
  return { ...parameters, minReliableCheckAmount: BigInt(minReliableCheckAmount) };
}

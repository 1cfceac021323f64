import { GAP_STATES } from '@sangam/contract/chain.ts';
import type {
  getChain,
  getGapOrders,
  getSecurityNodeList,
  getSecurityPatchList,
} from '@sangam/contract/endpoints/chain.ts';
import type { Currency } from '@sangam/contract/money.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { MINUTE } from '../../platform/clock.ts';
import { timeOfId } from '../../platform/db/ids.ts';
import { empty, sql } from '../../platform/db/database.ts';
import { idFilter, readPage, timeFilter } from '../../platform/db/page.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts';
import { MESSAGE_MINUTE } from '../trusted-chain/store.ts';
import { type ChainRun, runsOf } from '../trusted-chain/runs.ts';
import type { ChainNode } from '../trusted-chain/node.ts';
import { scopeOf, type Viewer } from '../../platform/viewer.ts';
import { explanationsOf, type PatchKind, type PatchState, readOpenGap } from './store.ts';

type NodeOutput = z.input<typeof getSecurityNodeList.output>;
type PatchOutput = z.input<typeof getSecurityPatchList.output>;
type ChainOutput = z.input<typeof getChain.output>;

const DEFAULT_DAYS = 31;
/** A drawing shows this many nodes, twice a screen's width. */
const DRAWN = 120;

interface NodeRow {
  readonly id: bigint;
  readonly accountId: bigint;
  readonly accountName: string;
  readonly supplierName: string | null;
  readonly currency: Currency;
  readonly kind: ChainNode['kind'];
  readonly amount: bigint;
  readonly minute: number;
  readonly previous: bigint | null;
  readonly next: bigint | null;
  readonly orderId: bigint | null;
}

type DrawnRow = NodeRow & ChainNode;

interface ListedRow extends NodeRow {
  readonly balance: bigint | null;
  readonly state: NodeOutput['list'][number]['state'];
  readonly gapBefore: bigint | null;
}

const SHOWN = sql`
  n.id, n.account_id as "accountId", a.bank || ' ' || a.account_tail as "accountName", s.name as "supplierName", a.currency, n.kind,
  n.amount, n.balance, n.minute, n.state, n.previous_id as previous, n.next_id as next, m.order_id as "orderId"`;
const PLACED = sql`
  n.patch_id as "patchId", n.place, n.is_coarse as "isCoarse", n.is_surplus as "isSurplus", n.is_fork as "isFork"`;
const JOINED = sql`
  join accounts a on a.id = n.account_id left join suppliers s on s.id = a.supplier_id left join messages m on m.id = n.id`;

/** The nodes of all chains, and beside them the messages that state no balance and explain no gap. */
const LISTED = sql`(
  select n.account_id, n.id, n.kind, n.amount, n.balance, n.minute, n.state, n.previous_id, n.next_id from chain_nodes n
  union all
  select m.account_id, m.id, 'message', case m.direction when 'debit' then -m.amount else m.amount end, null, ${MESSAGE_MINUTE},
    'no-balance', null, null
  from messages m
  where m.account_id is not null and m.balance is null and m.direction is not null and m.amount is not null and m.state <> 'duplicate'
    and not exists (select from chain_nodes n where n.account_id = m.account_id and n.id = m.id))`;

/** Messages as nodes, newest first. */
export async function listNodes(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof getSecurityNodeList.input>,
): Promise<NodeOutput | Refusal> {
  const now = platform.clock.now();
  const page = await readPage<ListedRow>(platform, input, {
    columns: sql`${SHOWN}, (select g.delta from chain_gaps g
      where g.account_id = n.account_id and g.head_id = n.id and g.state = 'open' order by g.id limit 1) as "gapBefore"`,
    from: sql`from ${LISTED} n ${JOINED}
      where true ${scopeOf(viewer, { supplier: sql`a.supplier_id` })} ${timeFilter(sql`n.id`, input, now, DEFAULT_DAYS)}
      ${input.resourceId === undefined ? empty : idFilter(sql`n.account_id`, input.resourceId)}
      ${input.supplierId === undefined ? empty : idFilter(sql`a.supplier_id`, input.supplierId)}
      ${input.state ? sql`and n.state = ${input.state}` : empty}`,
    key: sql`n.id`,
  });
  if (isRefusal(page)) return page;
  const list = page.list.map((node) => ({
    ...shapeNode(node),
    state: node.state,
    balanceBefore: node.balance === null ? null : Number(node.balance - node.amount),
    balance: node.balance === null ? null : Number(node.balance),
    gapBefore: node.gapBefore === null ? null : Number(node.gapBefore),
  }));
  return { ...page, list };
}

/** The last nodes of an account's chain, oldest first. */
export async function drawChain(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof getChain.input>,
): Promise<ChainOutput | Refusal> {
  const accountId = BigInt(input.resourceId);
  const [account] = await platform.db.query<{
    accountName: string;
    currency: Currency;
    balanceMode: ChainOutput['balanceMode'];
  }>(sql`
    select a.bank || ' ' || a.account_tail as "accountName", a.currency, a.balance_mode as "balanceMode"
    from accounts a where a.id = ${accountId} ${scopeOf(viewer, { supplier: sql`a.supplier_id` })}`);
  if (!account) return refuse('notFound');
  const nodes = (
    await platform.db.query<DrawnRow>(sql`
      select ${SHOWN}, ${PLACED} from chain_nodes n ${JOINED} where n.account_id = ${accountId} order by n.minute desc, n.place desc limit ${DRAWN}`)
  ).toReversed();
  const gaps = await platform.db.query<{
    id: bigint;
    tailId: bigint;
    headId: bigint;
    delta: bigint;
    state: (typeof GAP_STATES)[number];
  }>(sql`
    select id, tail_id as "tailId", head_id as "headId", delta, state from chain_gaps
    where account_id = ${accountId} and state <> 'closed' and head_id = any(${nodes.map(({ id }) => id)})`);
  const { SecurityFreqParameters } = await platform.settings.all();
  const runs = runsOf(nodes, SecurityFreqParameters.minReliableChainSize);
  const runOf = new Map(runs.flatMap(({ nodes: own }, run) => own.map(({ id }) => [id, run] as const)));
  return {
    resourceId: input.resourceId,
    ...account,
    nodes: nodes.map((node) => ({
      ...shapeNode(node),
      state: node.state,
      balanceBefore: Number(node.balance - node.amount),
      balance: Number(node.balance),
      run: runOf.get(node.id)!,
    })),
    runs: runs.map(({ state, nodes: own }: ChainRun, run) => ({ run, state, nodes: own.length })),
    gaps: gaps.map(({ id, tailId, headId, delta, state }) => ({
      id: String(id),
      tailId: String(tailId),
      headId: String(headId),
      delta: Number(delta),
      state,
    })),
  };
}

type Shaped = Omit<NodeOutput['list'][number], 'state' | 'balance' | 'balanceBefore' | 'gapBefore'>;

function shapeNode(node: NodeRow): Shaped {
  return {
    id: String(node.id),
    resourceId: String(node.accountId),
    accountName: node.accountName,
    supplierName: node.supplierName,
    currency: node.currency,
    kind: node.kind,
    amount: Number(node.amount),
    bankTime: formatTime(new Date(node.minute * MINUTE)),
    previousId: node.previous === null ? null : String(node.previous),
    nextId: node.next === null ? null : String(node.next),
    orderCode: node.orderId === null ? null : String(node.orderId),
  };
}

interface GapRow {
  readonly id: bigint;
  readonly accountId: bigint;
  readonly accountName: string;
  readonly currency: Currency;
  readonly tailId: bigint;
  readonly headId: bigint;
  readonly delta: bigint;
  readonly fromMinute: number;
  readonly toMinute: number;
  readonly state: (typeof GAP_STATES)[number];
  readonly openedAt: Date;
  readonly patchId: bigint | null;
  readonly kind: PatchKind;
  readonly patchState: PatchState;
  readonly orderIds: readonly (bigint | string)[];
  readonly reason: string | null;
  readonly author: string | null;
  readonly patchedAt: Date;
}

/** The orders that may account for a gap, for the person who patches it. */
export async function gapOrders(
  platform: Platform,
  _viewer: Viewer,
  { gapId }: z.output<typeof getGapOrders.input>,
): Promise<z.input<typeof getGapOrders.output> | Refusal> {
  const gap = await readOpenGap(platform.db, BigInt(gapId));
  if (!gap) return refuse('notFound');
  const found = await explanationsOf(platform.db, gap);
  return {
    list: found.map(({ orderId, amount, isBooked }) => ({
      orderCode: String(orderId),
      amount: Number(amount),
      booked: isBooked,
      createTime: formatTime(timeOfId(orderId)),
    })),
  };
}

/** Gaps, each with its newest patch, newest first. */
export async function listGaps(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof getSecurityPatchList.input>,
): Promise<PatchOutput | Refusal> {
  const page = await readPage<GapRow>(platform, input, {
    columns: sql`g.id, g.account_id as "accountId", a.bank || ' ' || a.account_tail as "accountName", a.currency,
      g.tail_id as "tailId", g.head_id as "headId", g.delta, g.from_minute as "fromMinute", g.to_minute as "toMinute", g.state, g.opened_at as "openedAt", p.id as "patchId", p.kind,
      p.state as "patchState", p.order_ids::text[] as "orderIds", p.reason, u.nickname as author, p.created_at as "patchedAt"`,
    from: sql`
      from chain_gaps g join accounts a on a.id = g.account_id
      left join lateral (select * from chain_patches c where c.gap_id = g.id order by c.id desc limit 1) p on true
      left join users u on u.id = p.author_id
      where true ${scopeOf(viewer, { supplier: sql`a.supplier_id` })}
        ${timeFilter(sql`g.id`, input, platform.clock.now(), DEFAULT_DAYS)}
        ${input.resourceId === undefined ? empty : idFilter(sql`g.account_id`, input.resourceId)}
        ${input.state ? sql`and g.state = ${input.state}` : empty}`,
    key: sql`g.id`,
  });
  return isRefusal(page) ? page : { ...page, list: page.list.map(shapeGap) };
}

function shapeGap(row: GapRow): PatchOutput['list'][number] {
  const patch =
    row.patchId === null
      ? null
      : {
          id: String(row.patchId),
          kind: row.kind,
          state: row.patchState,
          orderCodes: row.orderIds.map(String),
          reason: row.reason,
          author: row.author,
          createTime: formatTime(row.patchedAt),
        };
  return {
    id: String(row.id),
    resourceId: String(row.accountId),
    accountName: row.accountName,
    currency: row.currency,
    tailId: String(row.tailId),
    headId: String(row.headId),
    delta: Number(row.delta),
    fromTime: formatTime(new Date(row.fromMinute * MINUTE)),
    toTime: formatTime(new Date(row.toMinute * MINUTE)),
    state: row.state,
    openedTime: formatTime(row.openedAt),
    patch,
    actions: [
      ...(row.state === 'open' ? (['patch'] as const) : []),
      ...(patch?.state === 'live' ? (['withdraw'] as const) : []),
      ...(patch?.state === 'proposed' ? (['drop'] as const) : []),
    ],
  };
}

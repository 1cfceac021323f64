import { alertKindsOf } from '@sangam/contract/alerts.ts';
import { CODES } from '@sangam/contract/codes.ts';
import { APPROVAL_KINDS, APPROVAL_RULES } from '@sangam/contract/approvals.ts';
import { MOST_CHANGED, type RealtimeAnswer, type RealtimeEvent } from '@sangam/contract/realtime.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { MINUTE, SECOND } from '../../platform/clock.ts';
import type { OpenSession, RememberedSessions } from '../../access/open-session.ts';
import { keepSessionsSeen } from '../../access/keep-seen.ts';
import type { Platform } from '../../platform/platform.ts';
import { TEXTS } from '../../platform/texts.ts';
import { isForStaff } from '../../history/events.ts';
import { isStaff, MOST_AGENT_LEVELS, type Viewer } from '../../platform/viewer.ts';
import { createFeed, type News } from './feed.ts';
import { type OrderNews, type OtherNews, readVisibility, type SupplierVisibility } from './store.ts';

/** How old the remembered sessions may be before they no longer count, ms. */
const MEMORY_AGE = 2 * SECOND;

/** One console's connection as the hub sees it. The connection itself drops a slow reader. */
export interface Line {
  /** Sends a text, or hangs up when the other side does not read what it was sent. */
  send(text: string): void;
  /** Says that the session is over, and hangs up. */
  end(text: string): void;
}

interface Member {
  readonly line: Line;
  readonly session: OpenSession;
  readonly tokenHash: string;
}

export interface Hub {
  /** Call this before a session is checked whose end must be reported. */
  wake(): void;
  /** Adds a signed-in console. The answer removes it again. */
  join(session: OpenSession, tokenHash: Buffer, line: Line): Promise<() => void>;
  readonly remembered: RememberedSessions;
  stop(): Promise<void>;
}

/** All consoles connected to this node. Each gets the events that concern it, and no more than its lists would show. */
export function createHub(platform: Platform): Hub {
  const { clock, db, log } = platform;
  const members = new Set<Member>();
  const byToken = new Map<string, Member>();
  let sights: ReadonlyMap<bigint, SupplierVisibility> = new Map();
  let waiting = 0;
  /** Sessions that ended lately, for consoles that join while their session ends. */
  const endedLately = new Map<bigint, Date>();
  const feed = createFeed(platform, () => members.size + waiting > 0, deliver);

  /** Refreshes once a minute what changes slowly, for all consoles together. */
  const minute = setInterval(() => {
    const before = new Date(clock.now().getTime() - MINUTE);
    for (const [id, at] of endedLately) if (at < before) endedLately.delete(id);
    const suppliers = [...new Set([...members].flatMap(({ session }) => session.viewer.supplierId ?? []))];
    const sessionIds = [...new Set([...members].map(({ session }) => session.viewer.sessionId))];
    if (sessionIds.length === 0) return;
    Promise.all([
      suppliers.length > 0 ? readVisibility(db, suppliers, MOST_AGENT_LEVELS) : sights,
      keepSessionsSeen(platform, sessionIds),
    ]).then(
      ([read]) => {
        sights = read;
      },
      (error: unknown) => log.error({ err: error }, 'realtime upkeep'),
    );
  }, MINUTE);
  minute.unref();

  async function deliver(news: News): Promise<void> {
    const ended = new Set(
      news.others.flatMap(({ kind, subjectId }) => (kind === 'session' ? (subjectId ?? []) : [])),
    );
    const now = clock.now();
    for (const id of ended) endedLately.set(id, now);
    // Consoles of the same audience get the same text, which is made once.
    const made = new Map<string, readonly string[]>();
    for (const member of members) {
      const { viewer, row } = member.session;
      if (ended.has(viewer.sessionId) || row.expiresAt <= now) {
        leave(member);
        member.line.end(expiredText(viewer));
        continue;
      }
      const audience = audienceOf(viewer);
      const texts = made.get(audience) ?? eventsFor(viewer, news, sights).map(textOf);
      made.set(audience, texts);
      for (const text of texts) member.line.send(text);
      for (const event of personalEvents(viewer, news.others)) member.line.send(textOf(event));
    }
  }

  function leave(member: Member): void {
    members.delete(member);
    if (byToken.get(member.tokenHash) === member) byToken.delete(member.tokenHash);
  }

  return {
    wake() {
      feed.start();
    },
    async join(session, tokenHash, line) {
      const { supplierId } = session.viewer;
      waiting += 1;
      try {
        if (supplierId !== null && !sights.has(supplierId)) {
          const read = await readVisibility(db, [supplierId], MOST_AGENT_LEVELS);
          sights = new Map([...sights, ...read]);
        }
      } finally {
        waiting -= 1;
      }
      const member = { session, tokenHash: tokenHash.toString('hex'), line };
      if (endedLately.has(session.viewer.sessionId)) {
        line.end(expiredText(session.viewer));
        return () => undefined;
      }
      members.add(member);
      byToken.set(member.tokenHash, member);
      feed.start();
      return () => leave(member);
    },
    remembered(tokenHash) {
      const fresh = feed.freshAt();
      const now = clock.now();
      if (!fresh || now.getTime() - fresh.getTime() > MEMORY_AGE) return undefined;
      const row = byToken.get(tokenHash.toString('hex'))?.session.row;
      return row && row.expiresAt > now ? row : undefined;
    },
    async stop() {
      clearInterval(minute);
      await feed.stop();
    },
  };
}

const textOf = (event: RealtimeEvent): string =>
  JSON.stringify({ code: CODES.ok.code, requestId: '', msg: '', ...event } satisfies RealtimeAnswer);

function expiredText(viewer: Viewer): string {
  const { code } = CODES.sessionExpired;
  const msg = TEXTS[viewer.locale].codes.sessionExpired;
  return JSON.stringify({ code, requestId: '', msg } satisfies RealtimeAnswer);
}

function audienceOf(viewer: Viewer): string {
  if (isStaff(viewer)) return viewer.role;
  return `${viewer.role} ${viewer.supplierId ?? viewer.merchantId}`;
}

function eventsFor(
  viewer: Viewer,
  news: News,
  sights: ReadonlyMap<bigint, SupplierVisibility>,
): readonly RealtimeEvent[] {
  const sight = viewer.supplierId === null ? undefined : sights.get(viewer.supplierId);
  const seen = news.orders.filter((order) => mayKnow(viewer, order, sight));
  const events: RealtimeEvent[] = [];
  for (const direction of ['in', 'out'] as const) {
    const codes = [
      ...new Set(seen.filter((order) => order.direction === direction).map(({ orderId }) => String(orderId))),
    ];
    if (codes.length > 0) {
      const orderCodes = codes.slice(0, MOST_CHANGED);
      const data = { direction, orderCodes, more: codes.length > MOST_CHANGED };
      events.push({ commandType: 'orderChanged', data });
    }
  }
  const newest = seen
    .filter((order) => isNewTo(viewer, order))
    .reduce<OrderNews | undefined>(
      (best, order) => (best && best.orderId > order.orderId ? best : order),
      undefined,
    );
  if (newest) {
    const data = { orderCode: String(newest.orderId), createTime: formatTime(newest.createdAt) };
    events.push({ commandType: 'newOrder', data });
  }
  const names = news.others.flatMap(({ kind, detail }) => (kind === 'setting' && detail ? [detail] : []));
  if (names.length > 0 && (viewer.role === 'superAdmin' || viewer.role === 'technicalMaintenance')) {
    events.push({ commandType: 'config', data: { names: [...new Set(names)] } });
  }
  return events;
}

/**
 * The same limits as in the lists: staff see all orders; others see their own, those of their team, and waiting payouts of their own
 * products. A suspicion or a freeze changes nothing that others see, so it does not reach them.
 */
function mayKnow(viewer: Viewer, order: OrderNews, sight: SupplierVisibility | undefined): boolean {
  if (isStaff(viewer)) return true;
  if (isForStaff(order.kind)) return false;
  if (viewer.role === 'merchant') return order.merchantId === viewer.merchantId;
  if (order.supplierId !== null) {
    if (order.supplierId === viewer.supplierId || sight?.team.has(order.supplierId)) return true;
  }
  // When another supplier claims a payout, it also leaves the list of those who could have claimed it.
  const waited = order.direction === 'out' && (order.to === 0 || order.from === 0);
  return waited && (sight?.products.has(order.productId) ?? false);
}

/** For a supplier an order is new when it is allocated to it. For merchants nothing is new, because they create their own orders. */
function isNewTo(viewer: Viewer, { direction, kind, supplierId }: OrderNews): boolean {
  if (direction !== 'in' || viewer.role === 'merchant') return false;
  return viewer.role === 'supplier'
    ? kind === 'allocated' && supplierId === viewer.supplierId
    : kind === 'created';
}

/** A message goes to its recipient. A request goes to those who may decide it and to the one who started it. */
function personalEvents(viewer: Viewer, others: readonly OtherNews[]): readonly RealtimeEvent[] {
  const mine = ({ subjectId }: OtherNews) => subjectId === viewer.userId;
  const decides = ({ detail }: OtherNews) => {
    const kind = APPROVAL_KINDS.find((each) => each === detail);
    return kind !== undefined && APPROVAL_RULES[kind].decide.includes(viewer.role);
  };
  const events: RealtimeEvent[] = [];
  if (others.some((each) => each.kind === 'message' && mine(each)))
    events.push({ commandType: 'message', data: {} });
  if (others.some((each) => each.kind === 'approval' && (mine(each) || decides(each))))
    events.push({ commandType: 'todo', data: {} });
  const kinds: readonly string[] = alertKindsOf(viewer.role);
  if (others.some(({ kind, detail }) => kind === 'alert' && detail !== null && kinds.includes(detail)))
    events.push({ commandType: 'alert', data: {} });
  return events;
}

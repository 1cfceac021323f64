import type { getEntity } from '@sangam/contract/endpoints/entity.ts';
import type { EntityKind } from '@sangam/contract/entity.ts';
import { seesWhole } from '@sangam/contract/personal-data.ts';
import { formatTime, parseTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { namesOf } from '../../audit/subject.ts';
import { empty, type Sql, sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { refuse, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { archivedOrder } from './archived.ts';
import { asItWas, type Audited, type Event, type Fields } from './as-it-was.ts';
import { KINDS, OWNERS_ALONE, PERSONAL, SECRET } from './kinds.ts';

type Answer = z.input<typeof getEntity.output>;

const MOST_EVENTS = 500;
const MOST_AUDITED = 200;

/** Everything known about one entity; it only reads. With a time: the entity as it was then, as far as history and audit tell. */
export async function readEntity(
  platform: Platform,
  viewer: Viewer,
  { kind, id: idText, at: atText }: z.output<typeof getEntity.input>,
): Promise<Answer | Refusal> {
  const id = BigInt(idText);
  const at = atText === undefined ? undefined : parseTime(atText)!;
  const { db } = platform;
  const columnsOf = (row: Sql) =>
    // As text, because a JSON number would lose the last digits of an id.
    db.query<{ name: string; value: string | null }>(sql`
      select e.key as name, e.value from (${row}) r cross join lateral json_each_text(row_to_json(r)) e`);
  const present = await columnsOf(KINDS[kind].row(id));
  const archived = present.length === 0 ? await archivedOrder(platform, kind, id) : undefined;
  const [columns, history, audit, relations] = await Promise.all([
    archived ? columnsOf(archived.row) : present,
    readHistory(platform, kind, id, archived?.events),
    readAudit(platform, kind, id),
    readRelations(platform, kind, id, archived?.fields),
  ]);
  if (columns.length === 0) return refuse('notFound');
  const now: Fields = Object.fromEntries(columns.map(({ name, value }) => [name, value]));
  // What was done to a callback of an order did not change the order.
  const own = audit.filter(({ isOwn }) => isOwn);
  const then = at && asItWas(kind, now, { history, audit: own, at });
  if (at && !then) return refuse('notFound');
  const isMasked = !seesWhole(viewer, 'record');
  const shown = then ?? now;
  const valueOf = (name: string, value: string) =>
    isMasked || OWNERS_ALONE.has(name) ? (PERSONAL[name]?.(value) ?? value) : value;
  const until = at ?? new Date(8.64e15);
  return {
    kind,
    id: idText,
    at: at ? formatTime(at) : null,
    isArchived: archived !== undefined,
    fields: Object.entries(shown)
      .filter(([name]) => !SECRET.test(name))
      .map(([name, value]) => ({
        name,
        value: value === null ? null : momentText(valueOf(name, value)),
        differs: value !== now[name],
      })),
    relations,
    history: history
      .filter((event) => event.at <= until)
      .map((event) => ({
        id: String(event.id),
        time: formatTime(event.at),
        kind: event.kind,
        fromStatus: event.fromStatus,
        toStatus: event.toStatus,
        actorKind: event.actorKind,
        actor: event.actor,
        reason: event.reason,
        data: isMasked ? {} : event.data,
      })),
    audit: audit
      .filter((entry) => entry.at <= until)
      .map((entry) => ({
        id: String(entry.id),
        time: formatTime(entry.at),
        account: entry.account,
        action: entry.action,
        subject: entry.subject,
        before: isMasked ? null : entry.before,
        after: isMasked ? null : entry.after,
        reason: entry.reason,
      })),
  };
}

const ISO = /^\d{4}-\d{2}-\d{2}T[\d:.]+[+-]\d{2}:\d{2}$/;

/** A moment as the console writes moments. Any other value stays as it is. */
const momentText = (value: string) => (ISO.test(value) ? formatTime(new Date(value)) : value);

/** The steps of an order. `archived`: those that are only in the archive; what was done since is in the database. */
function readHistory(
  { db }: Platform,
  kind: EntityKind,
  id: bigint,
  archived: Sql | undefined,
): Promise<Event[]> {
  if (kind !== 'collectionOrder' && kind !== 'payoutOrder') return Promise.resolve([]);
  return db.query<Event>(sql`
    select e.id, e.kind, e.from_status as "fromStatus", e.to_status as "toStatus", e.actor_kind as "actorKind",
      coalesce(u.account, m.name, d.name) as actor, e.reason, e.data, e.created_at as at
    from (select * from order_events where order_id = ${id} ${archived ? sql`union all ${archived}` : empty}) e
    left join users u on e.actor_kind = 'user' and u.id = e.actor_id
    left join merchants m on e.actor_kind = 'merchant' and m.id = e.actor_id
    left join monitors d on e.actor_kind = 'monitor' and d.id = e.actor_id
    order by e.created_at, e.id limit ${MOST_EVENTS}`);
}

interface Entry extends Audited {
  readonly subject: string;
  /** It is about the entity itself, and not about what belongs to it. */
  readonly isOwn: boolean;
}

function readAudit({ db }: Platform, kind: EntityKind, id: bigint): Promise<Entry[]> {
  const own = KINDS[kind].subjects(id);
  const audited = kind === 'collectionOrder' || kind === 'payoutOrder' ? 'order' : kind;
  return db.query<Entry>(sql`
    select a.id, a.action, a.subject, a.subject = any(${own}) as "isOwn", a.before, a.after, a.reason, a.created_at as at, u.account
    from audit_log a left join users u on u.id = a.user_id
    where a.subject = any(${own} || ${namesOf(audited, String(id))}) order by a.id desc limit ${MOST_AUDITED}`);
}

/** Columns of an order that name another entity. */
const NAMED_BY = { merchant: 'merchant_id', supplier: 'supplier_id', account: 'account_id' } as const;

/** `archived`: the columns of an order that is only in the archive, whose row no statement finds. */
async function readRelations(
  { db }: Platform,
  kind: EntityKind,
  id: bigint,
  archived: Fields | undefined,
): Promise<Answer['relations']> {
  const found = await Promise.all(
    Object.entries(KINDS[kind].relations).map(async ([related, idsOf]) => {
      const rows = await db.query<{ id: bigint }>(idsOf(id));
      return { kind: related as EntityKind, ids: [...new Set(rows.map((row) => String(row.id)))] };
    }),
  );
  const named = Object.entries(NAMED_BY).map(([related, column]) => {
    const value = archived?.[column] ?? null;
    return { kind: related as EntityKind, ids: value === null ? [] : [value] };
  });
  return [...found, ...named].filter(({ ids }) => ids.length > 0);
}

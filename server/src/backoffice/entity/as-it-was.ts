import type { EntityKind } from '@sangam/contract/entity.ts';

/** A step of an order's history. */
export interface Event {
  readonly id: bigint;
  readonly kind: string;
  readonly fromStatus: number | null;
  readonly toStatus: number | null;
  readonly actorKind: string;
  readonly actor: string | null;
  readonly reason: string | null;
  readonly data: unknown;
  readonly at: Date;
}

export interface Audited {
  readonly id: bigint;
  readonly action: string;
  readonly account: string | null;
  readonly before: unknown;
  readonly after: unknown;
  readonly reason: string | null;
  readonly at: Date;
}

/** Columns as text. */
export type Fields = Readonly<Record<string, string | null>>;

/** The fields that come with each moment of an order. Before that moment they are empty. */
const COMES_WITH: Readonly<Record<string, readonly string[]>> = {
  paid_at: ['received', 'utr', 'fee', 'supplier_commission', 'agent_commission'],
  finished_at: ['supplier_commission', 'agent_commission', 'reject_reason'],
  reversed_at: [],
  allocated_at: ['account_id', 'supplier_id', 'payable', 'expires_at'],
  decided_at: ['decided_by', 'decide_reason', 'result'],
  deleted_at: [],
  exported_at: ['file_name'],
  sent_at: [],
  ended_at: [],
};

const asDate = (value: string | null | undefined) => (value ? new Date(value) : undefined);
const textOf = (value: unknown) =>
  value === null || value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value);
const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * An entity's fields as they were at a moment, as far as history and audit tell. The status is that of the last step then, later fields are
 * empty, and audited changes since then are undone. Undefined: the entity did not exist yet.
 */
export function asItWas(
  kind: EntityKind,
  now: Fields,
  {
    history,
    audit,
    at,
  }: { readonly history: readonly Event[]; readonly audit: readonly Audited[]; readonly at: Date },
): Fields | undefined {
  const made = asDate(now['created_at'] ?? now['started_at'] ?? now['reported_at']);
  if (made && made > at) return undefined;
  const then: Record<string, string | null> = { ...now };
  for (const [moment, others] of Object.entries(COMES_WITH)) {
    const happened = asDate(then[moment]);
    if (!happened || happened <= at) continue;
    for (const name of [moment, ...others]) if (name in then) then[name] = null;
  }
  if (kind === 'approval' && then['decided_at'] === null) then['status'] = 'pending';
  const last = history.findLast((event) => event.at <= at && event.toStatus !== null);
  if (last) then['status'] = String(last.toStatus);
  if (last && 'stage' in then) then['stage'] = String(last.toStatus === 6 ? 3 : last.toStatus);
  const marked = history.find((event) => event.kind === 'marked' && event.at > at);
  if (marked) then['mark'] = textOf((marked.data as { readonly before?: unknown }).before);
  // Newest first, so that the oldest change after the moment decides.
  for (const entry of audit.filter((each) => each.at > at)) undo(then, entry);
  return then;
}

function undo(then: Record<string, string | null>, { before }: Audited): void {
  if (typeof before !== 'object' || before === null) return;
  const former = before as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(then)) {
    const key = Object.hasOwn(former, camel(name)) ? camel(name) : name;
    if (Object.hasOwn(former, key)) then[name] = textOf(former[key]);
  }
}

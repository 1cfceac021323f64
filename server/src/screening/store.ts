import { type Queryable, type Tx, sql } from '../platform/db/database.ts';
import { unnestRows } from '../platform/db/unnest-rows.ts';

export interface Entry {
  readonly id: bigint;
  readonly listId: bigint;
  /** Name of its list. */
  readonly list: string;
  readonly names: readonly string[];
  /** Keyed hashes (party.ts). */
  readonly marks: readonly string[];
}

/** The version grows with each change of lists and exemptions. */
export async function readVersion(db: Queryable): Promise<bigint> {
  const [row] = await db.query<{ version: bigint }>(sql`select version from name_list_version`);
  return row!.version;
}

/** Called in the transaction of each change. Nodes then read the lists again. It also makes changes wait for each other. */
export async function raiseVersion(tx: Tx): Promise<void> {
  await tx.query(sql`update name_list_version set version = version + 1`);
}

export async function readLists(
  db: Queryable,
): Promise<{ readonly entries: readonly Entry[]; readonly exempt: ReadonlySet<string> }> {
  const [entries, exempt] = await Promise.all([
    db.query<Entry>(sql`
      select e.id, e.list_id as "listId", l.source as list, e.names, e.marks
      from listed_names e join name_lists l on l.id = e.list_id order by e.id`),
    db.query<{ key: string }>(sql`select entry_id || ' ' || name_key as key from name_exemptions`),
  ]);
  return { entries, exempt: new Set(exempt.map(({ key }) => key)) };
}

export interface NewEntry {
  readonly id: bigint;
  /** The source's own reference, unique in its list. */
  readonly reference: string;
  readonly names: readonly string[];
  readonly marks: readonly string[];
  readonly note: string;
}

/** Adds entries, or changes entries with a known reference. Answers how many are new or differ. */
export async function putEntries(
  tx: Tx,
  listId: bigint,
  entries: readonly NewEntry[],
  userId: bigint,
  now: Date,
): Promise<number> {
  // SQL needs arrays of equal length, so each entry travels as JSON.
  const rows = await tx.query(sql`
    insert into listed_names (id, list_id, reference, names, marks, note, added_by, added_at)
    select (each->>'id')::bigint, ${listId}, each->>'reference',
      array(select jsonb_array_elements_text(each->'names')), array(select jsonb_array_elements_text(each->'marks')),
      each->>'note', ${userId}, ${now}
    from jsonb_array_elements(${asJson(entries)}::jsonb) each
    on conflict (list_id, reference) do update set names = excluded.names, marks = excluded.marks, note = excluded.note
      where (listed_names.names, listed_names.marks, listed_names.note)
        is distinct from (excluded.names, excluded.marks, excluded.note)
    returning id`);
  return rows.length;
}

/**
 * Before entries of known references are changed: what loses a name or a mark by it is kept beside it as it was, with its exemptions,
 * under a reference that no file has.
 */
export async function keepWhatIsLost(
  tx: Tx,
  listId: bigint,
  entries: readonly NewEntry[],
  nextId: () => bigint,
): Promise<void> {
  const losing = await tx.query<{ id: bigint }>(sql`
    select e.id from listed_names e join jsonb_array_elements(${asJson(entries)}::jsonb) each on each->>'reference' = e.reference
    where e.list_id = ${listId} and not (
      e.names <@ array(select jsonb_array_elements_text(each->'names')) and e.marks <@ array(select jsonb_array_elements_text(each->'marks')))
    order by e.id`);
  if (losing.length === 0) return;
  const kept = unnestRows(
    { id: 'bigint', keptId: 'bigint' },
    losing.map(({ id }) => ({ id, keptId: nextId() })),
  );
  await tx.query(sql`
    insert into listed_names (id, list_id, reference, names, marks, note, added_by, added_at)
    select v.kept_id, e.list_id, e.reference || ' ' || v.kept_id, e.names, e.marks, e.note, e.added_by, e.added_at
    from ${kept} join listed_names e on e.id = v.id`);
  await tx.query(sql`
    insert into name_exemptions (entry_id, name_key, approved_by, approved_at)
    select v.kept_id, x.name_key, x.approved_by, x.approved_at from ${kept} join name_exemptions x on x.entry_id = v.id`);
}

// Arrays of arrays must be of equal length in SQL, so each entry travels as JSON.
const asJson = (entries: readonly NewEntry[]) =>
  JSON.stringify(entries.map((entry) => ({ ...entry, id: String(entry.id) })));

export async function findEntry(
  db: Queryable,
  id: bigint,
): Promise<{ readonly id: bigint; readonly names: string[]; readonly list: string } | undefined> {
  const rows = await db.query<{ id: bigint; names: string[]; list: string }>(sql`
    select e.id, e.names, l.source as list from listed_names e join name_lists l on l.id = e.list_id where e.id = ${id}`);
  return rows[0];
}

/** Deletes entries with their exemptions. Answers how many. */
export async function deleteEntries(tx: Tx, ids: readonly bigint[]): Promise<number> {
  await tx.query(sql`delete from name_exemptions where entry_id = any(${ids})`);
  const rows = await tx.query(sql`delete from listed_names where id = any(${ids}) returning id`);
  return rows.length;
}

/** Whether a list of these entries was imported after the moment. */
export async function importedSince(tx: Tx, ids: readonly bigint[], at: Date): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from listed_names e join name_lists l on l.id = e.list_id
    where e.id = any(${ids}) and l.imported_at > ${at} limit 1`);
  return rows.length > 0;
}

/** Changes of lists wait for each other. */
export async function lockVersion(tx: Tx): Promise<void> {
  await tx.query(sql`select 1 from name_list_version for update`);
}

/** The list of names that people add by hand. */
export async function ownList(tx: Tx, id: bigint): Promise<bigint> {
  await tx.query(sql`
    insert into name_lists (id, source, format) values (${id}, 'own', 'own') on conflict (source) do nothing`);
  const [row] = await tx.query<{ id: bigint }>(sql`select id from name_lists where source = 'own'`);
  return row!.id;
}

/** The list of a source. Its first import creates it; the last import sets its format. */
export async function putList(
  tx: Tx,
  list: {
    readonly id: bigint;
    readonly source: string;
    readonly format: string;
    readonly listDate: string | null;
    readonly userId: bigint;
    readonly now: Date;
  },
): Promise<{ readonly id: bigint; readonly format: string }> {
  const rows = await tx.query<{ id: bigint; format: string }>(sql`
    insert into name_lists (id, source, format, list_date, imported_by, imported_at)
    values (${list.id}, ${list.source}, ${list.format}, ${list.listDate}::date, ${list.userId}, ${list.now})
    on conflict (source) do update set list_date = excluded.list_date, imported_by = excluded.imported_by,
      imported_at = excluded.imported_at
    returning id, format`);
  return rows[0]!;
}

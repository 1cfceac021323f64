/**
 * Every table belongs to one room. `owners`: room → its tables; `schema`: the SQL with all tables. Returns tables that only one of
 * the two has, and tables with two owners.
 */
export function checkOwners(owners, schema) {
  const tables = [...schema.matchAll(/^CREATE TABLE (\w+)/gm)].map(([, table]) => table);
  const owned = Object.values(owners).flat();
  return [
    ...tables
      .filter((table) => !owned.includes(table))
      .map((table) => `server/tables.json: no room owns ${table}`),
    ...owned
      .filter((table) => !tables.includes(table))
      .map((table) => `server/tables.json: there is no table ${table}`),
    ...owned
      .filter((table, index) => owned.indexOf(table) !== index)
      .map((table) => `server/tables.json: two rooms own ${table}`),
  ];
}

/** Rooms that may write all tables: the demo fills an empty database. */
const FILLS_ALL = ['demo'];

/** Statements of the file at `path` that write another room's table. */
export function foreignWrites(owners, path, text) {
  const room = path.split('/')[2];
  if (FILLS_ALL.includes(room)) return [];
  const ownerOf = new Map(
    Object.entries(owners).flatMap(([owner, tables]) => tables.map((table) => [table, owner])),
  );
  const statement =
    /\b(?:insert\s+into|update|delete\s+from|merge\s+into|lock\s+table|truncate)\s+(?:only\s+)?(\w+)\b/gi;
  return [...text.matchAll(statement)]
    .filter(([, table]) => ownerOf.has(table) && ownerOf.get(table) !== room)
    .map(
      ({ 1: table, index }) =>
        `${path}:${text.slice(0, index).split('\n').length}: writes ${table}, which is of the room ${ownerOf.get(table)}`,
    );
}

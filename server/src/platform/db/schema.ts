import { fileURLToPath } from 'node:url';
import pg from 'pg';

/** The schema that all migrations make together, for people to read. `npm run schema -- write` writes it. */
export const SCHEMA_FILE = fileURLToPath(
  new URL('../../../migrations/generated/schema.sql', import.meta.url),
);

const HEADING =
  '-- Written by `npm run schema -- write`: the schema that the migrations make. A test compares it.';

/** Each query lists one kind of object, one definition a row. */
const LISTS = [
  `select format('CREATE EXTENSION %I;', extname) as definition
  from pg_extension where extname <> 'plpgsql' order by extname`,

  // Leaves out functions that belong to an extension.
  `select rtrim(pg_get_functiondef(p.oid), E'\\n') || ';' as definition
  from pg_proc p
  where p.prokind <> 'a' and p.pronamespace = current_schema()::regnamespace
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  order by p.proname, p.oid::regprocedure::text`,

  `select format('CREATE AGGREGATE %s (SFUNC = %s, STYPE = %s, INITCOND = %L, COMBINEFUNC = %s, PARALLEL = %s);', p.oid::regprocedure,
    a.aggtransfn, format_type(a.aggtranstype, null), a.agginitval, a.aggcombinefn,
    case p.proparallel when 's' then 'SAFE' when 'r' then 'RESTRICTED' else 'UNSAFE' end) as definition
  from pg_aggregate a join pg_proc p on p.oid = a.aggfnoid
  where p.pronamespace = current_schema()::regnamespace
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  order by p.proname, p.oid::regprocedure::text`,

  `select format(E'CREATE TABLE %I (\\n  %s\\n)', t.relname, array_to_string(
      array(
        select format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod))
          || case when a.attgenerated <> '' then
              format(' GENERATED ALWAYS AS (%s) %s', e.expression, case a.attgenerated when 's' then 'STORED' else 'VIRTUAL' end)
            when a.attidentity <> '' then
              format(' GENERATED %s AS IDENTITY (START WITH %s)', case a.attidentity when 'a' then 'ALWAYS' else 'BY DEFAULT' end,
                (select s.seqstart from pg_sequence s
                where s.seqrelid = pg_get_serial_sequence(t.oid::regclass::text, a.attname)::regclass))
            else coalesce(' DEFAULT ' || e.expression, '') end
          || case when a.attnotnull then ' NOT NULL' else '' end
        from pg_attribute a
        left join lateral (select pg_get_expr(d.adbin, d.adrelid, true) as expression
          from pg_attrdef d where d.adrelid = a.attrelid and d.adnum = a.attnum) e on true
        where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
        order by a.attnum)
      || array(
        select format('CONSTRAINT %I %s', c.conname, pg_get_constraintdef(c.oid, true))
        from pg_constraint c where c.conrelid = t.oid and c.contype in ('p', 'u', 'c', 'f', 'x')
        order by array_position('{p,u,c,f,x}', c.contype::text), c.conname),
      E',\\n  '))
    || coalesce(' PARTITION BY ' || pg_get_partkeydef(t.oid), '')
    || coalesce(E'\\nWITH (' || array_to_string(t.reloptions, ', ') || ')', '') || ';'
    || array_to_string(
      array(
        select E'\\n' || pg_get_indexdef(i.indexrelid, 0, true) || ';'
        from pg_index i join pg_class n on n.oid = i.indexrelid
        where i.indrelid = t.oid and not exists (select from pg_constraint c where c.conindid = i.indexrelid and c.conrelid = t.oid)
        order by n.relname)
      || array(
        select format(E'\\nALTER TABLE %I ALTER COLUMN %I SET STATISTICS %s;', t.relname, a.attname, a.attstattarget)
        from pg_attribute a where a.attrelid = t.oid and a.attnum > 0 and a.attstattarget >= 0
        order by a.attnum)
      || array(
        select E'\\n' || pg_get_triggerdef(g.oid, true) || ';'
        from pg_trigger g where g.tgrelid = t.oid and not g.tgisinternal
        order by g.tgname), '') as definition
  from pg_class t
  where t.relnamespace = current_schema()::regnamespace and t.relkind in ('r', 'p') and not t.relispartition
  order by t.relname`,

  `select format('CREATE %s %I', case v.relkind when 'v' then 'VIEW' else 'MATERIALIZED VIEW' end, v.relname)
    || coalesce(E'\\nWITH (' || array_to_string(v.reloptions, ', ') || ')', '')
    || E' AS\\n' || pg_get_viewdef(v.oid, true) as definition
  from pg_class v
  where v.relnamespace = current_schema()::regnamespace and v.relkind in ('v', 'm')
  order by v.relname`,
];

/**
 * The extensions, functions, aggregates, tables with everything that belongs to them, and views of a database, by name. Leaves out the
 * month partitions, because nodes make them.
 */
export async function readSchema(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const definitions: string[] = [];
    for (const list of LISTS) {
      const { rows } = await client.query<{ definition: string }>(list);
      definitions.push(...rows.map((row) => row.definition));
    }
    return `${[HEADING, ...definitions].join('\n\n')}\n`;
  } finally {
    await client.end();
  }
}

/** A message with the first line of `written` that differs from `read`. Undefined when both are equal. */
export function staleLine(written: string, read: string): string | undefined {
  if (written === read) return undefined;
  const [file, database] = [written.split('\n'), read.split('\n')];
  const index = database.findIndex((line, at) => line !== file[at]);
  const at = index < 0 ? database.length : index;
  const shown = (line: string | undefined) => (line === undefined ? 'nothing' : `'${line}'`);
  return (
    `${SCHEMA_FILE}:${at + 1} is out of date: it has ${shown(file[at])}, the database ${shown(database[at])}. ` +
    'Write it again by `npm run schema -- write`.'
  );
}

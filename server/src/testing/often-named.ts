import { type Database, hot, Sql } from '../platform/db/database.ts';

/** From this use on a statement gets a name. A statement used less often is not worth keeping. */
const FIRST_NAMED = 4;

/**
 * A database whose frequent statements are parsed once a connection, like hot statements. With generic plans as well, a block of 200
 * sequences of the attacker model takes 9 s of processor instead of 17.
 */
export function oftenNamed(db: Database): Database {
  const uses = new Map<string, { readonly name: string; count: number }>();
  const named = (statement: Sql): Sql => {
    if ('statementName' in statement) return statement;
    const { text } = statement;
    const known = uses.get(text) ?? { name: `often_${uses.size}`, count: 0 };
    uses.set(text, known);
    known.count += 1;
    // A copy gets the name, because a shared statement must not carry it into another database.
    return known.count < FIRST_NAMED
      ? statement
      : hot(known.name, new Sql(statement.strings, statement.values));
  };
  const connections = (of: Pick<Database, 'query' | 'tx'>): Pick<Database, 'query' | 'tx'> => ({
    query: (statement) => of.query(named(statement)),
    tx: (work, silence) =>
      of.tx((tx) => {
        const query: typeof tx.query = (statement) => tx.query(named(statement));
        return work({ ...tx, query, send: (statement) => tx.send(named(statement)) });
      }, silence),
  });
  return {
    ...db,
    ...connections(db),
    calls: connections(db.calls),
    evidence: connections(db.evidence),
  };
}

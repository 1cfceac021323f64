import type { Sql } from '../platform/db/database.ts';

/**
 * Something that must hold whenever no transaction is half way. The statement answers the rows that break it, first
 * things first, each as one text `detail`.
 */
export interface Check {
  readonly name: string;
  readonly statement: Sql;
}

import type { Sql } from '../db/database.ts';

/**
 * Something that must hold whenever no transaction is half way. The statement answers the first row that breaks it, as
 * one text column `detail`, or nothing.
 */
export interface Check {
  readonly name: string;
  readonly statement: Sql;
}

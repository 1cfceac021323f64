import type { Database, Tx } from './database.ts';

class RolledBack extends Error {
  readonly result: unknown;

  constructor(result: unknown) {
    super('rolled back on purpose');
    this.result = result;
  }
}

/** What `work` answers in a transaction that is then rolled back: for previews, which can so be nothing else than the deed. */
export async function rolledBack<Result>(
  db: Pick<Database, 'tx'>,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  try {
    return await db.tx(async (tx) => {
      throw new RolledBack(await work(tx));
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.result as Result;
    throw error;
  }
}

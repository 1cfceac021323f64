import type { Database, Tx } from './database.ts';

class RolledBack extends Error {
  readonly result: unknown;

  constructor(result: unknown) {
    super('rolled back on purpose');
    this.result = result;
  }
}

/**
 * Runs `work` in a transaction, rolls it back and answers the result. Previews use it, so that a preview runs the same code as the action.
 */
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

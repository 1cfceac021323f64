import { SECOND } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';

const PATIENCE = SECOND;

/**
 * Makes a function that tells whether the database answers. It answers within a second, even when the database hangs. All callers share one
 * question under way, and only a change is logged.
 */
export function createHealth({ db, log }: Platform): () => Promise<boolean> {
  let asked: Promise<boolean> | undefined;
  let wasHealthy = true;

  function ask(): Promise<boolean> {
    asked ??= db
      .query(sql`select 1`)
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        asked = undefined;
      });
    return asked;
  }

  return async () => {
    const isHealthy = await Promise.race([
      ask(),
      new Promise<false>((resolve) => {
        setTimeout(resolve, PATIENCE, false).unref();
      }),
    ]);
    if (isHealthy !== wasHealthy) {
      if (isHealthy) log.info('health: the database answers again');
      else log.warn('health: the database does not answer');
    }
    wasHealthy = isHealthy;
    return isHealthy;
  };
}

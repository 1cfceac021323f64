import { readConfig } from '../platform/config.ts';
import { openDatabase } from '../platform/db/database.ts';
import { joinEmbedded } from '../platform/db/embedded.ts';
import { snapshotsOf, verify } from '../verify/verify.ts';

/**
 * `npm run verify`: checks ledger and orders, one line a check. Ends with 1 at the first check that fails, or at the end when a check could
 * not be finished in its time. Works beside running nodes: it reads large tables in ranges, with a short snapshot for each.
 */
async function run(): Promise<boolean> {
  const config = readConfig(process.env);
  const embedded =
    config.databaseUrl === undefined
      ? await joinEmbedded({ dataDir: config.dataDir, log: (line) => console.log(line) })
      : undefined;
  const db = openDatabase(embedded?.url ?? config.databaseUrl!, { maxConnections: 1 });
  try {
    const startedAt = performance.now();
    let unknown = 0;
    for await (const { name, ok, detail, unfinished } of verify(await snapshotsOf(db))) {
      console.log(ok ? `ok      ${name}` : `${unfinished ? 'UNKNOWN' : 'BROKEN '} ${name}: ${detail}`);
      if (!ok && !unfinished) return false;
      if (unfinished) unknown += 1;
    }
    const took = `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
    console.log(
      unknown === 0
        ? `Everything holds (${took}).`
        : `Nothing is broken, but ${unknown} checks did not finish (${took}).`,
    );
    return unknown === 0;
  } finally {
    await db.close();
    await embedded?.stop();
  }
}

try {
  if (!(await run())) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

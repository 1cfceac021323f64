import { readConfig } from './config.ts';
import { openDatabase, sql } from './db/database.ts';
import { joinEmbedded } from './db/embedded.ts';
import { verify } from './verify/verify.ts';

/**
 * `npm run verify`: proves ledger and orders, one line a check, and ends with 1 at the first that does not hold. Works beside
 * running nodes: all checks see the same moment.
 */
async function run(): Promise<boolean> {
  const config = readConfig(process.env);
  const embedded =
    config.databaseUrl === undefined
      ? await joinEmbedded({ dataDir: config.dataDir, log: (line) => console.log(line) })
      : undefined;
  const db = openDatabase(embedded?.url ?? config.databaseUrl!, { maxConnections: 1 });
  try {
    return await db.tx(async (tx) => {
      await tx.query(sql`set transaction isolation level repeatable read read only`);
      const startedAt = performance.now();
      for await (const { name, ok, detail } of verify(tx)) {
        console.log(ok ? `ok      ${name}` : `BROKEN  ${name}: ${detail}`);
        if (!ok) return false;
      }
      console.log(`Everything holds (${((performance.now() - startedAt) / 1_000).toFixed(1)} s).`);
      return true;
    });
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

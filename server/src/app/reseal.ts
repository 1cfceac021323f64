import { readConfig } from '../platform/config.ts';
import { openDatabase } from '../platform/db/database.ts';
import { joinEmbedded } from '../platform/db/embedded.ts';
import { loadMasterKey, openVault } from '../platform/master-key.ts';
import { reseal } from '../platform/reseal.ts';

/** `npm run reseal`: seals with MASTER_KEY every value that MASTER_KEY_OTHER sealed, while nodes run (docs/deploying.md). */
async function run(): Promise<boolean> {
  const config = readConfig(process.env);
  if (!config.masterKeyOther) throw new Error('MASTER_KEY_OTHER must name the key that is to be replaced.');
  const masterKey = await loadMasterKey(config);
  const { databaseUrl, dataDir } = config;
  const embedded =
    databaseUrl === undefined ? await joinEmbedded({ dataDir, log: () => undefined }) : undefined;
  const db = openDatabase(embedded?.applicationUrl ?? databaseUrl!, { maxConnections: 2 });
  try {
    const vault = await openVault({ db }, { masterKey, other: config.masterKeyOther });
    const { values, waiting } = await reseal({ db, vault });
    process.stdout.write(`${values} values are sealed by MASTER_KEY now.\n`);
    if (waiting > 0)
      process.stdout.write(
        `${waiting} requests wait for a decision with a value of the other key: keep it until they are decided (a day at most).\n`,
      );
    return waiting === 0;
  } finally {
    await db.close();
    await embedded?.stop();
  }
}

try {
  process.exitCode = (await run()) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { proofLines } from '../audit/export-proof.ts';
import { linesOf, type ProofResult, sayProof, verifyProof } from '../audit/verify-proof.ts';
import { createAuditSeal } from '../platform/audit/signing-key.ts';
import { type Config, readConfig } from '../platform/config.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';
import { joinEmbedded } from '../platform/db/embedded.ts';
import { loadAuditKey } from '../platform/master-key.ts';

const USAGE = `Usage: npm run audit -- key
       npm run audit -- export FILE [--subject SUBJECT]
       npm run audit -- verify FILE|--all [--key PUBLIC-KEY …]`;

/**
 * `npm run audit -- key | export | verify`: prints the public key of the sealed audit, exports a proof for somebody else, or checks it.
 * `verify` ends with 1 when something differs from what was sealed. Without --key it trusts the key of this installation.
 */
async function run(): Promise<boolean> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      all: { type: 'boolean' },
      subject: { type: 'string' },
      key: { type: 'string', multiple: true },
    },
  });
  const [command, file] = positionals;
  const config = readConfig(process.env);
  switch (command) {
    case 'key':
      process.stdout.write(`${await ownKey(config)}\n`);
      return true;
    case 'export': {
      if (file === undefined) throw new Error(USAGE);
      if (values.subject !== undefined && !/^\S+$/.test(values.subject)) throw new Error(USAGE);
      await inDatabase(config, (db) => write(proofLines(db, values.subject), file));
      return true;
    }
    case 'verify': {
      if ((file === undefined) === (values.all !== true)) throw new Error(USAGE);
      const keys = values.key ?? [await ownKey(config), ...config.auditOlderKeys];
      const result =
        file === undefined
          ? await inDatabase(config, (db) => verifyProof(proofLines(db), keys, true))
          : await verifyProof(linesOf(file), keys, false);
      return say(result);
    }
    case undefined:
    default:
      throw new Error(USAGE);
  }
}

const ownKey = async (config: Config) => createAuditSeal(await loadAuditKey(config)).publicKey;

function say(result: ProofResult): boolean {
  process.stdout.write(`${sayProof(result)}\n`);
  return result.faults.length === 0;
}

async function write(lines: AsyncIterable<string>, file: string): Promise<void> {
  const out = createWriteStream(file, { flags: 'wx', mode: 0o600 });
  for await (const line of lines) if (!out.write(`${line}\n`)) await once(out, 'drain');
  out.end();
  await once(out, 'finish');
}

async function inDatabase<Result>(config: Config, work: (db: Database) => Promise<Result>): Promise<Result> {
  const { databaseUrl, dataDir } = config;
  const embedded =
    databaseUrl === undefined ? await joinEmbedded({ dataDir, log: () => undefined }) : undefined;
  const db = openDatabase(embedded?.applicationUrl ?? databaseUrl!, { maxConnections: 1 });
  try {
    return await work(db);
  } finally {
    await db.close();
    await embedded?.stop();
  }
}

try {
  if (!(await run())) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

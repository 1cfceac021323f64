import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from './db/database.ts';
import type { Platform } from './platform.ts';
import { parseMasterKey, type Config } from './config.ts';
import { ConfigError } from './environment.ts';
import { createVault, type Vault } from './vault.ts';

const PROOF = 'sangam';
const PROOF_PLACE = ['master_key_proof.sealed', '1'] as const;
const MARKS_PLACE = ['master_key_proof.marks', '1'] as const;

/** Reads MASTER_KEY, or the key file in the data folder, which the first start creates. Losing this key loses every stored secret. */
export function loadMasterKey({
  masterKey,
  dataDir,
}: Pick<Config, 'masterKey' | 'dataDir'>): Promise<Buffer> {
  return masterKey ? Promise.resolve(masterKey) : loadKeyFile(dataDir, 'master.key');
}

/**
 * Reads AUDIT_SIGNING_KEY, or its file in the data folder. Losing this key loses nothing: the public key still checks the sealed blocks.
 */
export function loadAuditKey(config: Pick<Config, 'auditSigningKey' | 'dataDir'>): Promise<Buffer> {
  const { auditSigningKey, dataDir } = config;
  return auditSigningKey ? Promise.resolve(auditSigningKey) : loadKeyFile(dataDir, 'audit.key');
}

/** Reads the 32 bytes of a key file, and creates the file if there is none. */
async function loadKeyFile(dataDir: string, name: string): Promise<Buffer> {
  const file = join(dataDir, name);
  const text = await readFile(file, 'utf8').catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    await makeKeyFile(dataDir, file);
    return readFile(file, 'utf8');
  });
  const key = parseMasterKey(text.trim());
  if (!key)
    throw new ConfigError(
      `The key file ${file} must hold 32 bytes as 64 hex digits: restore it from a backup.`,
    );
  return key;
}

/** Links the complete file into place. When two nodes start at once, both use the key of the first. */
async function makeKeyFile(dataDir: string, file: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft);
  }
}

/**
 * Opens the vault of this node. Refuses a key other than the one that sealed the database's secrets: all nodes on one database need the
 * same MASTER_KEY. The first node of a database stores a proof of the key and the root of marks (`marksRoot`), which outlives the key.
 */
export async function openVault(
  { db }: Pick<Platform, 'db'>,
  keys: { readonly masterKey: Buffer; readonly other: Buffer | undefined },
): Promise<Vault> {
  const vault = createVault(keys.masterKey, { other: keys.other });
  await db.query(sql`
    insert into master_key_proof (id, sealed, marks)
    values (1, ${vault.seal(PROOF, PROOF_PLACE)}, ${vault.seal(vault.marksRoot, MARKS_PLACE)}) on conflict do nothing`);
  const [row] = await db.query<{ sealed: Buffer; marks: Buffer }>(
    sql`select sealed, marks from master_key_proof`,
  );
  try {
    if (vault.open(row!.sealed, PROOF_PLACE) === PROOF)
      return createVault(keys.masterKey, {
        other: keys.other,
        marksRoot: vault.open(row!.marks, MARKS_PLACE),
      });
  } catch {
    // The id belongs to another key, or the seal does not open. Both get the same message.
  }
  throw new ConfigError(
    'MASTER_KEY (or the key file under DATA_DIR) is not the one this database was set up with: give every node the same.',
  );
}

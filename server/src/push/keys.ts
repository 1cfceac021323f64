import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';

interface PushKeys {
  /** In the form that browsers take: an uncompressed point. */
  readonly publicKey: string;
  readonly privateKey: JsonWebKey;
}

/** The installation's own key pair. It is made when first needed and kept for ever; the private key is stored sealed. */
export async function pushKeys({ db, vault, clock }: Platform): Promise<PushKeys> {
  const read = () =>
    db.query<{ publicKey: string; sealed: Buffer }>(
      sql`select public_key as "publicKey", sealed from push_keys where id = 1`,
    );
  let [row] = await read();
  if (!row) {
    const made = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
    const point = [made.x!, made.y!].map((each) => Buffer.from(each, 'base64url'));
    const publicKey = Buffer.concat([Buffer.from([4]), ...point]).toString('base64url');
    const sealed = vault.seal(JSON.stringify(made), ['push_keys.sealed', '1']);
    await db.query(sql`
      insert into push_keys (id, public_key, sealed, created_at)
      values (1, ${publicKey}, ${sealed}, ${clock.now()}) on conflict do nothing`);
    // Another node may have been first.
    [row] = await read();
  }
  const privateKey = JSON.parse(vault.open(row!.sealed, ['push_keys.sealed', '1'])) as JsonWebKey;
  return { publicKey: row!.publicKey, privateKey };
}

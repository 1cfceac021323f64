import { queryOrder } from '@sangam/contract/endpoints/outside.ts';
import { sign } from '@sangam/contract/signature.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../app/routes.ts';
import { makeGatewayAccount } from '../testing/gateway.ts';
import { pushKeys } from '../push/keys.ts';
import { createTestUser } from '../testing/people.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeMerchant, makeMonitor, makeSupplier } from '../testing/world.ts';
import { ConfigError } from './environment.ts';
import { raw, sql } from './db/database.ts';
import { openVault } from './master-key.ts';
import { reseal } from './reseal.ts';
import { storedOf } from './settings/secret.ts';
import { createVault, SEALED_COLUMNS, type Vault } from './vault.ts';

/** The master key changes while the platform runs. */

let node: TestPlatform;
let oldKey: Buffer;
const newKey = randomBytes(32);
beforeAll(async () => {
  node = await createTestPlatform();
  oldKey = node.platform.config.masterKey!;
});
afterAll(() => node.close());

const vaultOf = (masterKey: Buffer, other?: Buffer) =>
  openVault({ db: node.platform.db }, { masterKey, other });

/** Every sealed value in the columns that are sealed again, and whether the vault's own key sealed it. */
async function sealedValues(vault: Vault): Promise<[string, boolean][]> {
  const found: [string, boolean][] = [];
  for (const name of SEALED_COLUMNS) {
    const [table, column] = name.split('.') as [string, string];
    if (name === 'settings.value') {
      const [row] = await node.platform.db.query<{ value: string }>(
        sql`select value from settings where name = 'BotToken'`,
      );
      found.push([name, vault.isCurrent(Buffer.from(row!.value, 'base64'))]);
      continue;
    }
    const rows = await node.platform.db.query<{ sealed: Buffer }>(
      sql`select ${raw(column)} as sealed from ${raw(table)} where ${raw(column)} is not null`,
    );
    for (const { sealed } of rows) found.push([name, vault.isCurrent(sealed)]);
  }
  return found;
}

test('under load everything is sealed anew, no call fails, and the old key is refused afterwards', async () => {
  const { platform } = node;
  await vaultOf(oldKey);
  const { merchantId, secret } = await makeMerchant(platform);
  await platform.db.query(sql`
    update merchants set previous_secret = ${platform.vault.seal('BEFORE', ['merchants.previous_secret', merchantId])},
      previous_valid_until = now() + interval '1 day'
    where id = ${merchantId}`);
  const user = await createTestUser(platform, 'admin');
  await platform.db.query(sql`
    update users set pending_google_secret = ${platform.vault.seal('P', ['users.pending_google_secret', user.id])}
    where id = ${user.id}`);
  const { supplierId } = await makeSupplier(platform);
  await makeMonitor(platform, { supplierId });
  await makeGatewayAccount(platform, supplierId);
  const token = `123456:${'a'.repeat(30)}`;
  await platform.settings.write('BotToken', storedOf(platform, 'BotToken', token) as string, null);
  const { publicKey } = await pushKeys(platform);
  for (let more = 0; more < 60; more += 1) await makeMerchant(platform, { products: [] });

  // First every node opens both keys, then each node begins to seal with the new one. Some nodes are ahead of others.
  const behind = { ...node.anotherNode(), vault: await vaultOf(oldKey, newKey) };
  const ahead = { ...node.anotherNode(), vault: await vaultOf(newKey, oldKey) };
  const apps = [await node.app(ROUTES, behind), await node.app(ROUTES, ahead)];
  const codes = new Map<number, number>();
  let isRunning = true;
  const call = async (n: number) => {
    const fields = {
      mchId: String(merchantId),
      mchOrderNo: 'none',
      timestamp: String(node.clock.now().getTime()),
      nonce: randomUUID(),
    };
    const payload = { ...fields, sign: sign(fields, 'hmac-sha256', secret) };
    const response = await apps[n % 2]!.inject({ method: 'POST', url: queryOrder.path, payload });
    const { code } = response.json<{ code: number }>();
    codes.set(code, (codes.get(code) ?? 0) + 1);
  };
  const load = (async () => {
    for (let n = 0; isRunning; n += 1) await call(n);
  })();
  const { values, waiting } = await reseal(ahead);
  isRunning = false;
  await load;
  expect(values).toBeGreaterThan(65);
  expect(waiting).toBe(0);
  // 404: the order is unknown, so the signature was right.
  expect([...codes.keys()]).toEqual([404]);
  expect((await reseal(ahead)).values).toBe(0);

  const now = await vaultOf(newKey);
  const sealed = await sealedValues(now);
  expect(new Set(sealed.map(([name]) => name))).toEqual(
    new Set(SEALED_COLUMNS.filter((name) => name !== 'approvals.sealed')),
  );
  expect(sealed.filter(([, isCurrent]) => !isCurrent)).toEqual([]);
  expect((await pushKeys({ ...platform, vault: now })).publicKey).toBe(publicKey);
  await expect(vaultOf(oldKey)).rejects.toThrow(ConfigError);
  // What was given out before stays valid: payment pages, paths at rails, signatures of statements.
  expect(now.payToken(7n)).toBe(platform.vault.payToken(7n));
  expect(now.hookMark('telegram alert')).toBe(platform.vault.hookMark('telegram alert'));
});

test('a value that is changed while it is sealed anew keeps its change; requests that wait under the other key are named', async () => {
  const { platform } = node;
  const [from, to] = [randomBytes(32), randomBytes(32)];
  const { marksRoot } = platform.vault;
  const behind = createVault(from, { other: to, marksRoot });
  const vault = createVault(to, { other: from, marksRoot });
  const { merchantId } = await makeMerchant(platform, { products: [] });
  const place = ['merchants.secret', merchantId] as const;
  const write = (secret: string) =>
    platform.db.query(
      sql`update merchants set secret = ${behind.seal(secret, place)} where id = ${merchantId}`,
    );
  // Only this merchant's row, because keys of other tests sealed the other rows.
  const query: typeof platform.db.query = async (statement) => {
    if (statement.text.includes('from approvals'))
      return [behind, vault].map((each) => ({
        sealed: each.seal('asked for', ['approvals.sealed', 1n]),
      })) as never;
    if (!statement.text.includes('merchants') || statement.text.includes('previous_secret')) return [];
    const rows = await platform.db.query(statement);
    if (!statement.text.includes('order by')) return rows as never;
    // A node that still seals with the other key issues a new secret between reading and writing.
    await write('issued meanwhile');
    return rows.filter((row) => (row as { id?: bigint }).id === merchantId) as never;
  };
  await write('read first');
  expect(await reseal({ db: { ...platform.db, query }, vault })).toEqual({ values: 1, waiting: 1 });
  const [row] = await platform.db.query<{ secret: Buffer }>(
    sql`select secret from merchants where id = ${merchantId}`,
  );
  expect(vault.isCurrent(row!.secret)).toBe(true);
  expect(vault.open(row!.secret, place)).toBe('issued meanwhile');
});

test('a sealed value opens in its own column and row only', () => {
  const vault = createVault(newKey);
  const sealed = vault.seal('secret', ['merchants.secret', 1n]);
  expect(vault.open(sealed, ['merchants.secret', 1n])).toBe('secret');
  expect(() => vault.open(sealed, ['merchants.secret', 2n])).toThrow();
  expect(() => vault.open(sealed, ['merchants.previous_secret', 1n])).toThrow();
  expect(() => createVault(oldKey).open(sealed, ['merchants.secret', 1n])).toThrow('unknown key');
  expect(createVault(oldKey, { other: newKey }).open(sealed, ['merchants.secret', 1n])).toBe('secret');
});

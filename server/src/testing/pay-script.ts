import { readFile } from 'node:fs/promises';
import { type KoshOptions, type KoshPay, startKoshPay } from '@sangam/simulators/gateway/kosh-pay.ts';
import { releasePayScript, createPayScript, tryPayScript } from '@sangam/contract/endpoints/pay-script.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask, askRefused } from './ask.ts';
import { makeAccount, makeUser, viewerOf } from './world.ts';

export const KOSH = { mchIds: ['KOSH100', 'KOSH200'], key: 'kosh-request-key', noticeKey: 'kosh-notice-key' };

export const openKosh = (options: Partial<KoshOptions> = {}): Promise<KoshPay> =>
  startKoshPay({ ...KOSH, ...options });

const EXAMPLE = new URL('../../../docs/pay-scripts/kosh-pay.js', import.meta.url);

/** The example script, with another gateway address. */
export async function exampleScript(url: string): Promise<string> {
  return (await readFile(EXAMPLE, 'utf8')).replace('http://127.0.0.1:8095', url);
}

/** Two people who may release scripts together. */
export async function makeScripters(platform: Platform): Promise<readonly [Viewer, Viewer]> {
  const one = async (role: 'superAdmin' | 'technicalSupport') =>
    viewerOf(platform, { role, userId: (await makeUser(platform, { role })).id });
  return [await one('technicalSupport'), await one('superAdmin')];
}

/** Tries a version. One person asks for its release, the other approves it. */
async function release(
  platform: Platform,
  [author, checker]: readonly [Viewer, Viewer],
  id: string,
  version: number,
): Promise<void> {
  await ask(platform, author, tryPayScript, {
    id,
    version,
    function: 'createOrder',
    input: JSON.stringify({ orderCode: '1', amount: '100.00' }),
    answers: [{ status: 200, body: '{"code":0,"data":{"pay_url":"https://kosh.test/1","trade_no":"K1"}}' }],
  });
  const asked = await askRefused(platform, author, releasePayScript, { id, version, reason: 'tried' });
  const { todoId } = asked.data as { todoId: string };
  await ask(platform, checker, decide, { id: todoId, approve: true });
}

/** A script that is live. */
export async function makeScript(
  platform: Platform,
  code: string,
  origins: readonly string[],
  name = 'Kosh Pay',
): Promise<{ readonly id: string; readonly people: readonly [Viewer, Viewer] }> {
  const people = await makeScripters(platform);
  const { id } = await ask(platform, people[0], createPayScript, { name, code, origins: [...origins] });
  await release(platform, people, id, 1);
  return { id, people };
}

/** A gateway account that a script serves. A receiving one is online once it is watched. */
export async function makeScriptAccount(
  platform: Platform,
  options: {
    readonly supplierId: bigint;
    readonly scriptId: string;
    readonly direction: 'in' | 'out';
    readonly bank?: string;
  },
): Promise<bigint> {
  const { supplierId, scriptId, direction, bank = 'Kosh Pay' } = options;
  const { accountId } = await makeAccount(platform, {
    supplierId,
    monitorId: null,
    direction,
    bank,
    senderHeader: 'KOSHPAY',
    vpa: null,
    products: [direction === 'in' ? 1030 : 2010],
  });
  const credentials = platform.vault.seal(
    JSON.stringify({ keyId: 'kosh', keySecret: KOSH.key, webhookSecret: KOSH.noticeKey }),
    ['accounts.credentials', accountId],
  );
  await platform.db.query(sql`
    update accounts set kind = 'gateway', account_number = ${KOSH.mchIds[direction === 'in' ? 0 : 1]!},
      credentials = ${credentials}, credentials_at = ${platform.clock.now()}, gateway_provider = 'script',
      pay_script_id = ${BigInt(scriptId)}
    where id = ${accountId}`);
  return accountId;
}

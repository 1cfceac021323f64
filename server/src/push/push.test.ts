import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getPushKey, removePushSubscription, savePushSubscription } from '@sangam/contract/endpoints/push.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { reseal } from '../platform/reseal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask, askRefused } from '../testing/ask.ts';
import { makePayoutShop, payOut, type PayoutShop } from '../testing/payouts.ts';
import { createTestMember } from '../testing/people.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { viewerOf } from '../testing/world.ts';
import { sendPushes } from './send.ts';

interface Arrived {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A browser: its keys, and what it reads of the notices it gets. */
class Device {
  readonly #pair = createECDH('prime256v1');
  readonly #auth = randomBytes(16);
  readonly endpoint: string;

  constructor(endpoint: string) {
    this.endpoint = endpoint;
    this.#pair.generateKeys();
  }

  subscription() {
    return {
      endpoint: this.endpoint,
      p256dh: this.#pair.getPublicKey('base64url'),
      auth: this.#auth.toString('base64url'),
      language: 'zh-TW' as const,
    };
  }

  /** Decrypts a body by RFC 8291. */
  read(body: Buffer): unknown {
    const salt = body.subarray(0, 16);
    const sender = body.subarray(21, 21 + body[20]!);
    const sealed = body.subarray(21 + body[20]!);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.#pair.getPublicKey(), sender]);
    const secret = Buffer.from(hkdfSync('sha256', this.#pair.computeSecret(sender), this.#auth, info, 32));
    const derive = (name: string, length: number) =>
      Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${name}\0`, length));
    const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
    decipher.setAuthTag(sealed.subarray(-16));
    const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
    // The byte 2 after the text marks the last record.
    return JSON.parse(plain.subarray(0, plain.lastIndexOf(2)).toString());
  }
}

let world: TestPlatform;
let shop: PayoutShop;
let viewer: Viewer;
let service: Server;
let base: string;
let arrived: Arrived[] = [];
let answer = { status: 201, headers: {} as Record<string, string> };
beforeAll(async () => {
  world = await createTestPlatform();
  shop = await makePayoutShop(world.platform, 10n ** 12n);
  const [user] = await world.platform.db.query<{ id: bigint }>(
    sql`select user_id as id from suppliers where id = ${shop.supplierId}`,
  );
  viewer = {
    ...viewerOf(world.platform, { role: 'supplier', supplierId: shop.supplierId }),
    userId: user!.id,
  };
  service = createServer((incoming, outgoing) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', () => {
      arrived.push({ path: incoming.url!, headers: incoming.headers, body: Buffer.concat(parts) });
      outgoing.writeHead(answer.status, answer.headers).end();
    });
  }).listen(0, '127.0.0.1');
  await new Promise((done) => service.once('listening', done));
  base = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
});
afterAll(async () => {
  service.close();
  await world.close();
});
beforeEach(async () => {
  arrived = [];
  answer = { status: 201, headers: {} };
  await world.platform.db.query(sql`delete from push_subscriptions`);
  world.clock.advance(MINUTE);
});

async function newDevice(name: string, at = base): Promise<Device> {
  const device = new Device(`${at}/${name}`);
  await ask(world.platform, viewer, savePushSubscription, device.subscription());
  world.clock.advance(SECOND);
  return device;
}

const devices = () =>
  world.platform.db.query<{ failures: number; succeeded: boolean }>(
    sql`select failures, last_success_at is not null as succeeded from push_subscriptions`,
  );

test('a device is told of a new payout once, briefly, in its language and without names or amounts', async () => {
  const device = await newDevice('a');
  expect(await sendPushes(world.platform)).toBe(0);
  await payOut(world.platform, shop.merchantId);
  expect(await sendPushes(world.platform)).toBe(1);
  const [notice] = arrived;
  expect(notice!.headers).toMatchObject({ ttl: '120', topic: 'payouts', urgency: 'high' });
  const { publicKey } = await ask(world.platform, viewer, getPushKey, {});
  expect(notice!.headers['authorization']).toContain(`k=${publicKey}`);
  expect(device.read(notice!.body)).toEqual({ body: '有新的代付可搶單' });
  expect(await devices()).toEqual([{ failures: 0, succeeded: true }]);
  world.clock.advance(MINUTE);
  expect(await sendPushes(world.platform)).toBe(0);
});

test('a further user of the supplier is told as well', async () => {
  const { id } = await createTestMember(world.platform, { supplierId: shop.supplierId }, 'finance');
  const device = new Device(`${base}/member`);
  await ask(world.platform, { ...viewer, userId: id }, savePushSubscription, device.subscription());
  world.clock.advance(SECOND);
  await payOut(world.platform, shop.merchantId);
  expect(await sendPushes(world.platform)).toBe(1);
});

test('no notice is sent for payouts that the supplier may not claim', async () => {
  const other = { ...viewer, ...viewerOf(world.platform, { role: 'supplier', supplierId: shop.agentId }) };
  const [user] = await world.platform.db.query<{ id: bigint }>(
    sql`select user_id as id from suppliers where id = ${shop.agentId}`,
  );
  const device = new Device(`${base}/agent`);
  await ask(world.platform, { ...other, userId: user!.id }, savePushSubscription, device.subscription());
  world.clock.advance(SECOND);
  await payOut(world.platform, shop.merchantId);
  expect(await sendPushes(world.platform)).toBe(0);
});

test('a device that is gone is forgotten at once; one not found at the second time', async () => {
  for (const [status, tries] of [
    [410, 1],
    [404, 2],
  ] as const) {
    await newDevice(String(status));
    answer = { status, headers: {} };
    for (let attempt = 1; attempt <= tries; attempt += 1) {
      expect(await devices()).toHaveLength(1);
      await payOut(world.platform, shop.merchantId);
      await sendPushes(world.platform);
      world.clock.advance(MINUTE);
    }
    expect(await devices()).toEqual([]);
  }
});

test('a push service that asks us to wait gets no calls meanwhile', async () => {
  await newDevice('busy');
  answer = { status: 429, headers: { 'retry-after': '300' } };
  await payOut(world.platform, shop.merchantId);
  await sendPushes(world.platform);
  expect(await devices()).toEqual([{ failures: 1, succeeded: false }]);
  answer = { status: 201, headers: {} };
  await payOut(world.platform, shop.merchantId);
  world.clock.advance(2 * MINUTE);
  expect(await sendPushes(world.platform)).toBe(0);
  world.clock.advance(4 * MINUTE);
  expect(await sendPushes(world.platform)).toBe(1);
});

test('a device switched off is told no more; nobody switches off another’s', async () => {
  const { endpoint } = await newDevice('off');
  const other = viewerOf(world.platform, { role: 'supplier', supplierId: shop.otherSupplierId });
  await ask(world.platform, other, removePushSubscription, { endpoint });
  expect(await devices()).toHaveLength(1);
  await ask(world.platform, viewer, removePushSubscription, { endpoint });
  expect(await devices()).toEqual([]);
});

test('private addresses are refused where callbacks to them are', async () => {
  const { platform } = world;
  const strict = { ...platform, config: { ...platform.config, allowPrivateCallbacks: false } };
  for (const endpoint of ['https://127.0.0.1/x', 'https://169.254.169.254/', 'http://push.example.com/x'])
    expect(
      await askRefused(strict, viewer, savePushSubscription, { ...new Device(endpoint).subscription() }),
    ).toMatchObject({ code: 'invalidInput' });
  // A private address is not called either when it was stored before, or when its name leads there now.
  await newDevice('inside');
  await newDevice('named', base.replace('127.0.0.1', 'localhost'));
  await payOut(platform, shop.merchantId);
  await sendPushes(strict);
  expect(arrived).toEqual([]);
  expect(await devices()).toEqual([
    { failures: 1, succeeded: false },
    { failures: 1, succeeded: false },
  ]);
});

test('the private key is sealed, and the pair stays as it is', async () => {
  const { publicKey } = await ask(world.platform, viewer, getPushKey, {});
  await reseal(world.platform);
  expect(await ask(world.platform, viewer, getPushKey, {})).toEqual({ publicKey });
});

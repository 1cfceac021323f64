import { endpoint } from '@sangam/contract/endpoint.ts';
import { signMonitorCall } from '@sangam/contract/signature.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { setMonitorSecret } from '../evidence/monitors/monitor.ts';
import { MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { createTestSupplier } from '../testing/people.ts';
import { type TestPlatform, createTestPlatform } from '../testing/platform.ts';
import { monitorRoute } from '../http/route.ts';

const SECRET = 'a monitor secret';
const post = endpoint({
  method: 'POST',
  path: '/v1.0/monitor/echo',
  summary: 'Answers what it got',
  access: 'monitor',
  input: z.object({ text: z.string() }),
  output: z.object({ monitorId: z.string(), text: z.string() }),
});
const get = endpoint({
  ...post,
  method: 'GET' as const,
  input: z.object({}),
  output: z.object({ monitorId: z.string() }),
});

let node: TestPlatform;
let app: FastifyInstance;
let monitorId: bigint;
let sequence: number;

beforeAll(async () => {
  node = await createTestPlatform();
  app = await node.app([
    monitorRoute(post, async (_platform, monitor, input) => ({
      monitorId: String(monitor.id),
      text: input.text,
    })),
    monitorRoute(get, async (_platform, monitor) => ({ monitorId: String(monitor.id) })),
  ]);
  const supplier = await createTestSupplier(node.platform);
  const rows = await node.platform.db.query<{ id: bigint }>(sql`
    insert into monitors (supplier_id, name, secret) values (${supplier.id}, 'phone', '')
    returning id`);
  monitorId = rows[0]!.id;
  await node.platform.db.tx((tx) => setMonitorSecret(node.platform, tx, monitorId, SECRET));
  sequence = 0;
});
afterAll(() => node.close());

interface Sent {
  readonly body?: string;
  readonly timestamp?: number;
  readonly sequence?: number | string;
  readonly secret?: string;
  readonly headers?: Record<string, string>;
}

async function send(sent: Sent = {}) {
  const body = sent.body ?? '{ "text":"नमस्ते" }';
  const timestamp = String(sent.timestamp ?? node.clock.now().getTime());
  const number = String(sent.sequence ?? (sequence += 1));
  const response = await app.inject({
    method: 'POST',
    url: post.path,
    payload: body,
    headers: {
      'content-type': 'application/json',
      'accept-language': 'en',
      'x-monitor-id': String(monitorId),
      'x-monitor-timestamp': timestamp,
      'x-monitor-sequence': number,
      'x-monitor-signature': signMonitorCall(sent.secret ?? SECRET, timestamp, number, body),
      ...sent.headers,
    },
  });
  return { status: response.statusCode, body: response.json<Record<string, unknown>>() };
}

const logged = () =>
  node.platform.db.query<{ phase: string; detail: unknown }>(
    sql`select phase, detail from monitor_log order by id`,
  );

test('the signature is over the raw bytes; a GET signs an empty body', async () => {
  const answer = await send();
  expect(answer).toEqual({
    status: 200,
    body: { code: 200, msg: 'Success', data: { monitorId: String(monitorId), text: 'नमस्ते' } },
  });
  const timestamp = String(node.clock.now().getTime());
  const number = String((sequence += 1));
  const response = await app.inject({
    method: 'GET',
    url: get.path,
    headers: {
      'x-monitor-id': String(monitorId),
      'x-monitor-timestamp': timestamp,
      'x-monitor-sequence': number,
      'x-monitor-signature': signMonitorCall(SECRET, timestamp, number, ''),
    },
  });
  expect(response.json()).toMatchObject({ code: 200, data: { monitorId: String(monitorId) } });
  const rows = await node.platform.db.query(
    sql`select last_sequence as last, last_seen_at as seen from monitors`,
  );
  expect(rows).toEqual([{ last: BigInt(sequence), seen: node.clock.now() }]);
});

test('wrong signatures, times and headers are 1102 and take no sequence number', async () => {
  const before = sequence;
  const now = node.clock.now().getTime();
  const attempts: Sent[] = [
    { secret: 'wrong' },
    { headers: { 'x-monitor-id': '1' } },
    { headers: { 'x-monitor-id': '9999999999999999999' } },
    { headers: { 'x-monitor-signature': '' } },
    { headers: { 'x-monitor-sequence': '' } },
    { timestamp: now - 5 * MINUTE - 1 },
    { timestamp: now + 5 * MINUTE + 1 },
    { sequence: '1e3' },
  ];
  for (const attempt of attempts) {
    expect(await send({ sequence: before + 1, ...attempt })).toMatchObject({
      status: 401,
      body: { code: 1102 },
    });
  }
  expect((await send({ sequence: before + 1 })).status).toBe(200);
  sequence = before + 1;
});

test('a repeated sequence number is refused and recorded; a skipped number is recorded and the call continues', async () => {
  await node.platform.db.query(sql`delete from monitor_log`);
  const last = sequence;
  expect(await send({ sequence: last })).toMatchObject({
    status: 409,
    body: { code: 409, data: { reason: 'sequenceRepeated', lastSequence: String(last) } },
  });
  expect(await send({ sequence: last + 5 })).toMatchObject({ status: 200 });
  expect(await send({ sequence: last + 3 })).toMatchObject({ status: 409 });
  expect(await logged()).toEqual([
    { phase: 'failed', detail: { reason: 'sequenceRepeated', sequence: String(last), last: String(last) } },
    { phase: 'received', detail: { sequenceHole: [String(last + 1), String(last + 4)] } },
    {
      phase: 'failed',
      detail: { reason: 'sequenceRepeated', sequence: String(last + 3), last: String(last + 5) },
    },
  ]);
  sequence = last + 5;
});

test('a sequence number sent many times at once is accepted once', async () => {
  const next = (sequence += 1);
  const all = await Promise.all(Array.from({ length: 8 }, () => send({ sequence: next })));
  expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(all.filter(({ status }) => status === 409)).toHaveLength(7);
});

test('the sequence is taken before the body is parsed', async () => {
  expect(await send({ body: '{' })).toMatchObject({ status: 400, body: { code: 400 } });
  expect(await send({ body: '{"text":1}' })).toMatchObject({
    status: 400,
    body: { data: { fields: [{ path: 'text' }] } },
  });
  expect(await send({ sequence })).toMatchObject({ status: 409 });
  const large = JSON.stringify({ text: 'x'.repeat(600_000) });
  expect((await send({ body: large })).status).toBe(200);
  expect((await send({ body: JSON.stringify({ text: 'x'.repeat(1_100_000) }) })).status).toBe(413);
});

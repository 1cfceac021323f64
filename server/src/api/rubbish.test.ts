import { ENDPOINTS } from '@sangam/contract/endpoints/index.ts';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ROUTES } from '../app/routes.ts';
import { call } from '../testing/call.ts';
import { type TestUser, createTestUser, signedIn } from '../testing/people.ts';
import { type TestPlatform, createTestPlatform } from '../testing/platform.ts';
import { runsOf, SEED } from '../testing/seed.ts';

let node: TestPlatform;
let app: FastifyInstance;
let superAdmin: TestUser;

beforeAll(async () => {
  node = await createTestPlatform();
  app = await node.app();
  superAdmin = await createTestUser(node.platform, 'superAdmin');
});
afterAll(() => node.close());

const WORDS = [
  'abc',
  '',
  ' ',
  '-1',
  '1.5',
  '2147483648',
  '9007199254740991',
  '9223372036854775808',
  '9'.repeat(30),
  "';--",
  '%',
  '2026-13-45 99:99:99',
];
const VALUES = [...WORDS, null, -1, 2147483648, 9007199254740991, 1.5, 1e30, true, [], [null], {}, { a: 1 }];

const fieldsOf = (input: z.ZodType): string[] =>
  Object.keys(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }).properties ?? {});
const routed = new Set(ROUTES.map((route) => route.endpoint));
const forConsole = ENDPOINTS.filter(
  (each) => routed.has(each) && !['merchant', 'monitor', 'webhook'].includes(each.access as string),
);

let drawn = 0;
/** Five of the values for a field, different for each call. All values in all fields took a minute. */
function someOf<T>(values: readonly T[]): T[] {
  const size = Math.min(runsOf(5), values.length);
  const subsets = fc.shuffledSubarray([...values], { minLength: size, maxLength: size });
  return fc.sample(subsets, { seed: SEED + drawn++, numRuns: 1 })[0]!;
}

/** Whatever a caller puts into a field, the answer is never an internal error. */
describe.each(forConsole)(`$method $path (SEED=${SEED})`, (each) => {
  test('survives rubbish in every field', async () => {
    const reads = each.method === 'GET';
    const failed: unknown[] = [];
    // Each write has its own session, because some writes end their session.
    const session = () => signedIn(node.platform, superAdmin);
    const ofReads = await session();
    const inPath = (field: string) => each.path.includes(`:${field}`);
    for (const field of fieldsOf(each.input).filter((name) => !inPath(name))) {
      for (const value of someOf<unknown>(reads ? WORDS : VALUES)) {
        const headers = reads ? ofReads : await session();
        const path = each.path.replace(/:\w+/g, 'AAAAAAAAAAAAAAAAAAAA');
        const answer = await call(app, each.method, path, { [field]: value }, { ...headers });
        if (answer.code === 500) failed.push({ [field]: value });
      }
    }
    expect(failed).toEqual([]);
  });
});

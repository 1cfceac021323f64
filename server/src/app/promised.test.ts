import { screenAt } from '@sangam/contract/screens.ts';
import { SETTINGS, type SettingName } from '@sangam/contract/settings.ts';
import { PROMISED_CALLS, PROMISED_SETTINGS } from '@sangam/contract/promised-calls.ts';
import { PROMISED_ROUTES } from '@sangam/contract/promised-routes.ts';
import { realtime } from '@sangam/contract/endpoints/realtime.ts';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ROUTES } from './routes.ts';

/** Roles that may also open a promised address, where the promise gave it to nobody else (docs/decisions.md). */
const ALSO_FOR: Readonly<Record<string, readonly string[]>> = {
  '/profile/list': ['technicalSupport', 'technicalMaintenance'],
  '/todo/started': ['merchant'],
};
/**
 * Fields that are accepted and ignored, like any field we do not know. Users choose their own passwords (docs/decisions/access.md); the
 * rail chooses the way of a payout.
 */
const ACCEPTED_UNREAD = [
  '/v1.0/admin/addUser password',
  '/v1.0/admin/updateUser password',
  '/v1.0/api/order/create mode',
];

/** The fields that an endpoint reads. A multipart call also has its file. */
function fieldsOf({ input, file }: (typeof ROUTES)[number]['endpoint']): ReadonlySet<string> {
  const { properties } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return new Set([...Object.keys(properties ?? {}), ...(file === undefined ? [] : ['file'])]);
}

const routeOf = (name: string) =>
  ROUTES.find(({ endpoint }) => `${endpoint.method} ${endpoint.path}` === name)?.endpoint;

test('every promised call is answered, by its method and with its fields', () => {
  const missing = PROMISED_CALLS.flatMap((promised) => {
    const [method, path, fields = ''] = promised.split(' ');
    const endpoint = routeOf(`${method} ${path}`);
    if (!endpoint) return [`${method} ${path}`];
    const known = fieldsOf(endpoint);
    return fields
      .split(',')
      .filter((field) => field !== '' && !known.has(field))
      .map((field) => `${path} ${field}`);
  });
  expect(missing).toEqual(ACCEPTED_UNREAD);
});

test('every promised setting exists, is read and written, and has its row in the documents', async () => {
  const documents = await readFile(new URL('../../../docs/settings.md', import.meta.url), 'utf8');
  const missing = PROMISED_SETTINGS.filter((name) => {
    const path = `/v1.0/system-config/${name}`;
    const { kind } = SETTINGS[name as SettingName] ?? {};
    const write = routeOf(`POST ${path}`);
    return !(
      kind &&
      routeOf(`GET ${path}`) &&
      write &&
      fieldsOf(write).has(kind === 'flag' ? 'enable' : 'value') &&
      documents.includes(`| \`${name}\` |`)
    );
  });
  expect(missing).toEqual([]);
  expect(PROMISED_SETTINGS).toHaveLength(44);
});

test('every setting has a test that flips it and sees the difference', async () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const files = (await readdir(root, { recursive: true })).filter(
    // These tests write values and read them back, which shows no difference in behaviour.
    (path) => path.endsWith('.test.ts') && !/(settings-endpoints|change-setting|promised)\.test/.test(path),
  );
  const texts = await Promise.all(files.map((path) => readFile(join(root, path), 'utf8')));
  const tests = texts.flatMap((text) => text.split(/^(?=test\b)/m));
  const isFlipped = (name: string) => {
    const flip = new RegExp(`(set|write)\\(\\s*'${name}'`);
    return tests.some((each) => flip.test(each) && each.includes('expect('));
  };
  expect(PROMISED_SETTINGS.filter((name) => !isFlipped(name))).toEqual([]);
});

test('every promised address opens a screen for its roles', () => {
  const wrong = PROMISED_ROUTES.flatMap((promised) => {
    const [path, variant, roles, looks = ''] = promised.split(' ') as [string, string, string, string?];
    const screen = screenAt(path);
    if (!screen) return [path];
    const told = typeof screen.roles === 'string' ? screen.roles : [...screen.roles].sort().join(',');
    const readOnly = [...screen.readOnlyFor].sort().join(',');
    const same =
      screen.variant === variant &&
      told === [...roles.split(','), ...(ALSO_FOR[path] ?? [])].sort().join(',') &&
      readOnly === looks.replace('readonly:', '').split(',').sort().join(',');
    return same ? [] : [promised];
  });
  expect(wrong).toEqual([]);
});

test('the realtime channel is declared with the other endpoints', () => {
  expect(realtime).toMatchObject({ method: 'WS', path: '/v1.0/ws', access: 'anyUser' });
});

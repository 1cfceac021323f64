import { expect, test } from 'vitest';
import { guardedLookup, isPublicAddress, refusedTarget } from './target.ts';

const PRIVATE = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.9.9.9',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  'fc00::1',
  'fd12::1',
  'fe80::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001::1',
  '2001:db8::1',
  '::127.0.0.1',
  '::ffff:0:127.0.0.1',
  '64:ff9b:1::7f00:1',
  'fec0::1',
  '100::1',
  '3fff::1',
  '5f00::1',
];

test.each(PRIVATE)('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(['8.8.8.8', '1.1.1.1', '2606:4700::1111', '49.36.1.1'])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

// Spellings of loopback that a URL parser turns into the literal, and other targets that no callback may go to.
test.each([
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0177.0.0.1/',
  'http://[::1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::127.0.0.1]/',
  'http://127.0.1/',
  'http://0x7f.1/',
  'http://0300.0250.0.1/',
  'http://017700000001/',
  'http://127。0。0。1/',
  'http://①②⑦.0.0.1/',
  'http://127.0.0.1./',
  'http://0/',
  'http://169.254.169.254/latest/meta-data/',
  'http://93.184.215.14:25/',
  'https://93.184.215.14:22/',
  'http://user:secret@example.com/',
  'file:///etc/passwd',
  'ftp://example.com/',
  'gopher://x/',
  'no url',
])('%s is refused before connecting', (url) => {
  expect(refusedTarget(url, false)).toBeTypeOf('string');
});

test('an allow list lets a private literal through, never another scheme', () => {
  expect(refusedTarget('http://127.0.0.1:9/', true)).toBeUndefined();
  expect(refusedTarget('file:///etc/passwd', true)).toBeTypeOf('string');
});

test('an allow list of networks lets these through, and no other private address', async () => {
  const named = ['10.1.0.0/16', '::1/128', '127.0.0.0/8'];
  for (const url of ['http://10.1.2.3:8080/', 'http://[::1]:8080/', 'https://93.184.215.14/'])
    expect(refusedTarget(url, named)).toBeUndefined();
  for (const url of ['http://10.2.0.1/', 'http://169.254.169.254/', 'http://10.1.2.3:25/'])
    expect(refusedTarget(url, named)).toBeTypeOf('string');
  const look = (allowed: readonly string[]) =>
    new Promise<string>((resolve) =>
      guardedLookup(allowed)('localhost', {}, (error, address) =>
        resolve(error?.message ?? (address as string)),
      ),
    );
  expect(['127.0.0.1', '::1']).toContain(await look(named));
  expect(await look(['10.1.0.0/16'])).toContain('not public');
});

test.each(['10.0.0.1', '127.0.0.1', '::1'])(
  'a name with a public address and %s is refused whole, whichever comes first and however many are asked for',
  async (hidden) => {
    const both = ['93.184.215.14', hidden].map((address) => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }));
    for (const addresses of [both, both.toReversed()])
      for (const options of [{}, { all: true }]) {
        const names = () => Promise.resolve(addresses as never);
        const told = await new Promise<string>((resolve) =>
          guardedLookup(false, names)('pay.example', options, (error) =>
            resolve(error?.message ?? 'let through'),
          ),
        );
        expect(told).toContain('not public');
      }
  },
);

test("a merchant's own port is as good as the web's", () => {
  for (const port of ['', ':80', ':443', ':8443'])
    expect(refusedTarget(`https://93.184.215.14${port}/`, false)).toBeUndefined();
});

test("the connection's own look-up refuses a name that resolves to a private address", async () => {
  const look = (allowPrivate: boolean) =>
    new Promise<string>((resolve) =>
      guardedLookup(allowPrivate)('localhost', {}, (error, address) =>
        resolve(error?.message ?? JSON.stringify(address)),
      ),
    );
  expect(await look(false)).toContain('not public');
  expect(['"127.0.0.1"', '"::1"']).toContain(await look(true));
});

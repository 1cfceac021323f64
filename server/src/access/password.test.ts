import { argon2Sync } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashPassword, passwordMatches } from './password.ts';

test('a hash is salted, states its parameters, and matches only its password', async () => {
  const [one, two] = await Promise.all([hashPassword('secret 123'), hashPassword('secret 123')]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(one).not.toBe(two);
  expect(await passwordMatches('secret 123', one)).toBe(true);
  expect(await passwordMatches('secret 124', one)).toBe(false);
});

test('without a stored hash nothing matches, and the check takes as long', async () => {
  const hash = await hashPassword('secret 123');
  const time = async (stored: string | undefined) => {
    const start = process.cpuUsage();
    for (let round = 0; round < 5; round += 1) expect(await passwordMatches('wrong', stored)).toBe(false);
    const used = process.cpuUsage(start);
    return used.user + used.system;
  };
  const [known, unknown] = [await time(hash), await time(undefined)];
  expect(unknown / known).toBeGreaterThan(0.3);
  expect(unknown / known).toBeLessThan(3);
  expect(await passwordMatches('wrong', null)).toBe(false);
});

test('a hash made with other parameters is checked with its own parameters', async () => {
  const cost = { memory: 8_192, passes: 3, parallelism: 1 };
  const nonce = Buffer.from('sixteen bytes...');
  const tag = argon2Sync('argon2id', { ...cost, message: 'secret 123', nonce, tagLength: 32 });
  const stored = `$argon2id$v=19$m=8192,t=3,p=1$${nonce.toString('base64')}$${tag.toString('base64')}`;
  expect(await passwordMatches('secret 123', stored)).toBe(true);
  await expect(passwordMatches('x', '$2b$10$bcrypt')).rejects.toThrow('not argon2id');
});

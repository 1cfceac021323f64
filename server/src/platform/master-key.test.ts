import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConfigError } from './environment.ts';
import { loadMasterKey } from './master-key.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sangam-key-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

test('the key of the environment wins and leaves no file', async () => {
  const masterKey = Buffer.alloc(32, 7);
  expect(await loadMasterKey({ masterKey, dataDir: join(dataDir, 'absent') })).toBe(masterKey);
});

test('the first start makes a key file only we may read, and every start after uses it', async () => {
  const folder = join(dataDir, 'new');
  const [first, atOnce] = await Promise.all([
    loadMasterKey({ masterKey: undefined, dataDir: folder }),
    loadMasterKey({ masterKey: undefined, dataDir: folder }),
  ]);
  expect(first).toHaveLength(32);
  expect(atOnce).toEqual(first);
  expect(await loadMasterKey({ masterKey: undefined, dataDir: folder })).toEqual(first);
  expect((await stat(join(folder, 'master.key'))).mode & 0o777).toBe(0o600);
});

test('a damaged key file is refused, never replaced', async () => {
  await writeFile(join(dataDir, 'master.key'), 'damaged');
  await expect(loadMasterKey({ masterKey: undefined, dataDir })).rejects.toThrow(ConfigError);
});

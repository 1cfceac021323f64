import { createServer, type AddressInfo } from 'node:net';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { World } from './demo.ts';

/** The place for a new server: a free port and an empty folder. */
export async function newWorld(): Promise<World> {
  return { port: await freePort(), dataDir: mkdtempSync(join(tmpdir(), 'sangam-e2e-')) };
}

/** A port on which nobody listens. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => probe.once('listening', done));
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  return port;
}

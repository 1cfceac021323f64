import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Role } from '@sangam/contract/roles.ts';
import type { SignType } from '@sangam/contract/signature.ts';

/** The part of DATA_DIR/demo.json that the tests need. */
interface Demo {
  readonly users: readonly DemoUser[];
  readonly merchants: readonly DemoMerchant[];
  readonly monitors: readonly DemoMonitor[];
}

interface DemoUser {
  readonly role: Role;
  readonly account: string;
  readonly password: string;
  readonly googleSecret: string;
  readonly payPassword: string;
}

export interface DemoMerchant {
  readonly mchId: string;
  readonly account: string;
  readonly signType: SignType;
  readonly secret: string;
}

export interface DemoMonitor {
  readonly monitorId: string;
  readonly secret: string;
  readonly accounts: readonly DemoResource[];
}

export interface DemoResource {
  readonly resourceId: string;
  readonly productId: number;
  readonly bank: string;
  readonly accountTail: string;
  readonly vpa: string;
}

/** A server of the run. Each Playwright worker has one. */
export interface World {
  readonly port: number;
  readonly dataDir: string;
  /** The outside world runs beside it. */
  readonly isLiving?: boolean;
}

let world: World = (JSON.parse(process.env['E2E_WORLDS'] ?? '[]') as World[])[
  Number(process.env['TEST_PARALLEL_INDEX'] ?? 0)
] ?? { port: 0, dataDir: '.' };

const urlOf = ({ port }: World): string => `http://127.0.0.1:${port}`;

/** The server of this worker's current world; a test may move to a world of its own. */
export let serverUrl = urlOf(world);

export const inDataDir = (name: string): string => join(world.dataDir, name);

let read: Demo | undefined;

export const isLiving = (): boolean => world.isLiving === true;

/** Moves this worker to another world; returns the previous one. */
export function enterWorld(next: World): World {
  const left = world;
  world = next;
  serverUrl = urlOf(world);
  read = undefined;
  return left;
}

/** The server writes the file before it answers, so every test finds it. */
export function demo(): Demo {
  read ??= JSON.parse(readFileSync(inDataDir('demo.json'), 'utf8')) as Demo;
  return read;
}

export function demoUser(account: string): DemoUser {
  const user = demo().users.find((candidate) => candidate.account === account);
  if (!user) throw new Error(`the demo world has no user ${account}`);
  return user;
}

/** Values that must outlive a worker (Playwright starts a new one after every failure), in a small file beside demo.json. */
export function recall<Value>(name: string): Readonly<Record<string, Value>> {
  const file = inDataDir(`e2e-${name}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Value>) : {};
}

export function remember<Value>(name: string, key: string, value: Value | undefined): void {
  const all = { ...recall<Value>(name), [key]: value };
  writeFileSync(inDataDir(`e2e-${name}.json`), JSON.stringify(all), { mode: 0o600 });
}

/**
 * A whole number from `least` up (below `least + 900 * step`) that no try of the last 15 minutes had: a failed test leaves its
 * orders, sums and names behind, and is tried again in the same world.
 */
export const ownNumber = (least: number, step = 1): number =>
  least + (Math.floor(Date.now() / 1_000) % 900) * step;

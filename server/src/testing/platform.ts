import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { createAuditSeal } from '../platform/audit/signing-key.ts';
import type { Config } from '../platform/config.ts';
import { type Database, type DatabaseOptions, openDatabase, type Tx } from '../platform/db/database.ts';
import { createIdMaker } from '../platform/db/ids.ts';
import { buildApp } from '../api/app.ts';
import type { PageFolders } from '../api/pages.ts';
import type { Route } from '../http/route.ts';
import { createLog } from '../platform/log.ts';
import { createNodeState } from '../platform/node-state.ts';
import type { Platform } from '../platform/platform.ts';
import { ROUTES } from '../app/routes.ts';
import { createSettings } from '../platform/settings/settings.ts';
import { createVault } from '../platform/vault.ts';
import { FakeClock } from './clock.ts';
import { configOf } from './config.ts';
import { createTestDatabase } from './database.ts';
import { oftenNamed } from './often-named.ts';

export interface TestPlatform {
  readonly platform: Platform;
  readonly clock: FakeClock;
  readonly url: string;
  /** The owner of the tables. Tests use it for changes that the application may not make. */
  readonly owner: Database;
  /** Another node on the same database. Its clock is ahead by `aheadMs`. */
  anotherNode(aheadMs?: number): Platform;
  /**
   * Runs `work` in a transaction that holds locks, to decide the order of the calls that wait for them. From now on no commit fails as
   * planned by the lane: a call that is tried again would come after the others.
   */
  holding<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The HTTP side, for `inject`. `close` closes it. */
  app(routes?: readonly Route[], node?: Platform, folders?: PageFolders): Promise<FastifyInstance>;
  close(): Promise<void>;
}

/**
 * SANGAM_LANE=serializable runs the same tests with every transaction SERIALIZABLE, and lets one commit in twenty fail with a serialization
 * failure, as a distributed database may do on a bad day.
 */
function laneOf(url: string, mayFail: () => boolean): [string, DatabaseOptions] {
  const isSerializable = process.env['SANGAM_LANE'] === 'serializable';
  const settings = ['plan_cache_mode=force_generic_plan'];
  if (isSerializable) settings.push('default_transaction_isolation=serializable');
  const lane = new URL(url);
  lane.searchParams.set('options', settings.map((each) => `-c ${each}`).join(' '));
  if (!isSerializable) return [lane.href, {}];
  const beforeCommit = () => {
    if (mayFail() && Math.random() < 0.05) throw Object.assign(new Error('planted'), { code: '40001' });
  };
  return [lane.href, { beforeCommit }];
}

/**
 * A platform on its own database. Call it once for each test file (beforeAll), and `close` it in afterAll. A connection plans a statement
 * that is asked often once, whatever its values: tests took a tenth longer with a plan for each.
 */
export async function createTestPlatform(overrides: Partial<Config> = {}): Promise<TestPlatform> {
  const database = await createTestDatabase();
  const clock = new FakeClock();
  const masterKey = randomBytes(32);
  const auditSeal = createAuditSeal(randomBytes(32));
  const config: Config = { ...configOf(database.url), masterKey, ...overrides };
  const owner = openDatabase(database.url, { maxConnections: 2 });
  const nodes: Platform[] = [];
  const apps: FastifyInstance[] = [];
  let mayFail = true;

  function anotherNode(aheadMs = 0): Platform {
    const db = oftenNamed(openDatabase(...laneOf(database.applicationUrl, () => mayFail)));
    const own = { now: () => new Date(clock.now().getTime() + aheadMs) };
    const state = createNodeState();
    const node: Platform = {
      db,
      owner,
      clock: own,
      ids: createIdMaker(own, nodes.length),
      vault: createVault(masterKey),
      auditSeal,
      settings: createSettings(db, own, state),
      config,
      log: createLog('warn'),
      state,
    };
    nodes.push(node);
    return node;
  }

  const platform = anotherNode();
  return {
    platform,
    clock,
    url: database.url,
    owner,
    anotherNode,
    holding(work) {
      mayFail = false;
      return owner.tx(work);
    },
    async app(routes = ROUTES, node = platform, folders) {
      const app = await buildApp(node, routes, folders);
      apps.push(app);
      return app;
    },
    async close() {
      for (const app of apps) await app.close();
      for (const node of nodes) {
        node.state.stop();
        await node.db.close();
      }
      await owner.close();
      await database.drop();
    },
  };
}

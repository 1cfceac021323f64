import { hostname } from 'node:os';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createAuditSeal } from '../platform/audit/signing-key.ts';
import { createDatabaseClock, SECOND } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { type Database, openDatabase, sql } from '../platform/db/database.ts';
import { startEmbedded } from '../platform/db/embedded.ts';
import { createIdMaker } from '../platform/db/ids.ts';
import { migrate } from '../platform/db/migrate.ts';
import { makePartitions } from '../platform/db/partitions.ts';
import { grantRights } from '../platform/db/rights.ts';
import { claimNodeSlot } from '../platform/db/node-slot.ts';
import { APPROVAL_HANDLERS } from './approval-kinds.ts';
import type { DemoFile } from '../demo/demo-file.ts';
import { type DemoSize, seedDemo } from '../demo/seed-demo.ts';
import { buildApp } from '../api/app.ts';
import { listenWidely } from '../http/listen.ts';
import { createClockWatch } from './clock-watch.ts';
import { type Loops, startLoops } from './loops.ts';
import { noteNewestBlock, refuseSetBack } from '../maintenance/newest-block.ts';
import { reportNode } from '../maintenance/report-node.ts';
import { claimInstallation } from '../platform/installation.ts';
import { loadAuditKey, loadMasterKey, openVault } from '../platform/master-key.ts';
import { seedTemplates } from '../payout/batch/templates/manage.ts';
import { createNodeState } from '../platform/node-state.ts';
import type { Platform } from '../platform/platform.ts';
import { nameScreen } from '../screening/screen.ts';
import { seedProducts } from '../terms/products/seed-products.ts';
import { frozenAddresses } from '../traffic/frozen.ts';
import { ROUTES } from './routes.ts';
import { createSettings } from '../platform/settings/settings.ts';
import { within } from '../platform/within.ts';

/** Connections with the owner's role, for the few jobs that need it. */
const OWNER_CONNECTIONS = 2;

export interface Node {
  readonly platform: Platform;
  /** The URL it listens on. Undefined for a worker. */
  readonly url: string | undefined;
  /** The sign-ins of the demo world, if this node knows them. */
  readonly demo: DemoFile | undefined;
  /** Answers the calls under way, then closes everything in the reverse order of the start. */
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly demoSize?: DemoSize;
  readonly meetWorld?: (platform: Platform, demo: DemoFile) => Promise<void>;
  /** For `npm run restored`: works on a database that was set back. */
  readonly isRestoring?: boolean;
}

/**
 * Starts one node: database, migrations, node slot, routes, loops. `onLost` is called when the process must end at once, because another
 * node may take its slot and make the same ids, because its ids run ahead of its clock, or because the database was set back. `demoSize` is
 * the size of the demo world. In a demo the node waits for `meetWorld` before its loops start.
 */
export async function startNode(
  config: Config,
  log: Logger,
  onLost: (error: unknown) => void,
  { demoSize, meetWorld, isRestoring = false }: StartOptions = {},
): Promise<Node> {
  const opened: (() => Promise<void>)[] = [];
  let clockWatch = (): void => undefined;
  const stop = async (): Promise<void> => {
    for (const close of opened.splice(0).reverse()) {
      // A part that cannot be closed must not keep the others open, above all not PostgreSQL.
      await close().catch((error: unknown) => log.error({ err: error }, 'stopping'));
    }
  };
  try {
    const masterKey = await loadMasterKey(config);
    const { databaseUrl, ownerUrl } = await openDatabases();
    await migrate(ownerUrl);
    const application = new URL(databaseUrl).username;
    if (application !== new URL(ownerUrl).username) await grantRights(ownerUrl, application);
    const clock = createDatabaseClock();
    // Opened before the database's other connections, so that it is released after them: until they are closed this node may write.
    const slot = await claimNodeSlot(databaseUrl, {
      takesCalls: config.role !== 'worker',
      clock,
      log,
      onLost,
      onCompared: () => clockWatch(),
    });
    opened.push(() => within(SECOND, slot.release()));
    const db = openDatabase(databaseUrl, {
      preparedStatements: config.preparedStatements,
      applicationName: `sangam ${config.role} ${slot.slot}`,
      // Only the message of the error: the driver attaches the whole client to the error.
      onIdleError: ({ message }) => log.warn({ reason: message }, 'an idle database connection broke'),
    });
    opened.push(() => db.close());
    const owner = await openOwner(ownerUrl);
    if (owner) await makePartitions({ db: owner, clock });
    await sayWhetherSealed(db);
    const state = createNodeState();
    opened.push(async () => state.stop());
    const platform: Platform = {
      db,
      owner,
      clock,
      ids: createIdMaker(clock, slot.slot, onLost),
      vault: await openVault({ db }, { masterKey, other: config.masterKeyOther }),
      auditSeal: createAuditSeal(await loadAuditKey(config), config.auditOlderKeys),
      settings: createSettings(db, clock, state),
      config,
      log,
      state,
    };
    clockWatch = createClockWatch(platform, `${hostname()} (${slot.slot})`, clock);
    clockWatch();
    await claimInstallation(platform);
    if (!isRestoring) {
      await refuseSetBack(platform);
      opened.push(await noteNewestBlock(platform, onLost));
    }
    await seedProducts(platform);
    await seedTemplates(platform);
    // Fills the memory that calls look things up in, before calls come. A transaction that waits for it would need a second connection.
    await Promise.all([nameScreen(platform).ready(), frozenAddresses(platform).refresh()]);
    opened.push(await reportNode(platform, slot.slot));
    // Before listening, so that whoever waits for the address finds the demo world complete.
    const demo = config.demo ? await openDemo(platform, `http://${config.host}:${config.port}`) : undefined;
    const url = config.role === 'worker' ? undefined : await openHttp(platform);
    if (demo && url !== undefined && url !== demo.url) await openDemo(platform, url);
    if (demo) await meetWorld?.(platform, demo);
    if (config.role !== 'api') {
      const loops: Loops = startLoops(platform, () => clock.state !== 'wrong');
      opened.push(() => loops.stop());
    }
    return { platform, url, demo, stop };
  } catch (error) {
    await stop();
    throw error;
  }

  async function openDatabases(): Promise<{ readonly databaseUrl: string; readonly ownerUrl: string }> {
    const { databaseUrl, databaseOwnerUrl, dataDir } = config;
    if (databaseUrl !== undefined) return { databaseUrl, ownerUrl: databaseOwnerUrl ?? databaseUrl };
    const embedded = await startEmbedded({ dataDir, log: (line) => log.info(line) });
    opened.push(() => embedded.stop());
    return { databaseUrl: embedded.applicationUrl, ownerUrl: embedded.url };
  }

  /** Undefined when the role does not own the tables. Other nodes then make the partitions. */
  async function openOwner(url: string): Promise<Database | undefined> {
    const owner = openDatabase(url, { maxConnections: OWNER_CONNECTIONS });
    opened.push(() => owner.close());
    const [row] = await owner.query<{ owns: boolean }>(sql`
      select pg_has_role(c.relowner, 'usage') as owns from pg_class c where c.oid = 'audit_log'::regclass`);
    if (!row!.owns) log.info('DATABASE_OWNER_URL is not set: this node makes no partitions, another must');
    return row!.owns ? owner : undefined;
  }

  async function sayWhetherSealed(db: Database): Promise<void> {
    const [row] = await db.query<{ may: boolean }>(sql`
      select has_table_privilege('audit_log', 'update') or has_table_privilege('audit_log', 'delete') as may`);
    if (row!.may)
      log.warn(
        'the role of DATABASE_URL may change audit, history and ledger: the protection is off (set DATABASE_OWNER_URL)',
      );
  }

  async function openDemo(platform: Platform, url: string): Promise<DemoFile | undefined> {
    const { dataDir } = config;
    return (await seedDemo(platform, { dataDir, url, approvals: APPROVAL_HANDLERS, ...demoSize })).demo;
  }

  async function openHttp(platform: Platform): Promise<string> {
    const app = await buildApp(platform, ROUTES);
    const { address, close } = await listenWidely(app, { host: config.host, port: config.port });
    opened.push(() => closeHttp(app, close));
    return urlOf(address, config.host);
  }
}

/** How long calls under way may take when the node stops. Then their connections are cut; clients repeat calls without an answer. */
const LONGEST_CALL_AT_END = 3 * SECOND;

async function closeHttp(app: FastifyInstance, close: () => Promise<void>): Promise<void> {
  const late = setTimeout(() => app.server.closeAllConnections(), LONGEST_CALL_AT_END);
  await close();
  clearTimeout(late);
}

/** A URL that a browser on this machine can open, even when the node listens on all addresses. */
function urlOf(address: string, host: string): string {
  const url = new URL(address);
  if (host === '0.0.0.0' || host === '::') url.hostname = '127.0.0.1';
  return url.origin;
}

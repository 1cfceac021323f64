import { type Config } from './config.ts';
import { ConfigError } from './environment.ts';
import { sql } from './db/database.ts';
import type { Platform } from './platform.ts';

const NAMES = { production: 'production', demo: 'a demo or a trial' } as const;

/**
 * Refuses a node whose kind does not fit the database. A demo node would call private addresses and simulated gateways with a production's
 * keys; a production node would treat the demo's money as real. The first node of a database marks its kind for good.
 */
export async function claimInstallation({
  db,
  config,
  clock,
}: Pick<Platform, 'db' | 'config' | 'clock'>): Promise<void> {
  const kind = kindOf(config);
  await db.query(sql`
    insert into installation (id, kind, marked_at) values (1, ${kind}, ${clock.now()}) on conflict do nothing`);
  const [row] = await db.query<{ kind: keyof typeof NAMES }>(sql`select kind from installation`);
  if (row!.kind === kind) return;
  throw new ConfigError(
    `This database is one of ${NAMES[row!.kind]}, but this node is one of ${NAMES[kind]}: see NODE_ENV, DEMO, DATABASE_URL and HOST.`,
  );
}

const kindOf = ({ isProduction }: Pick<Config, 'isProduction'>) => (isProduction ? 'production' : 'demo');

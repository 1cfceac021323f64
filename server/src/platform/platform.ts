import type { Logger } from 'pino';
import type { AuditSeal } from './audit/signing-key.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { IdMaker } from './db/ids.ts';
import type { NodeState } from './node-state.ts';
import type { Settings } from './settings/settings.ts';
import type { Vault } from './vault.ts';

/** What every command may use. Built once per node (start.ts) and once per test database. */
export interface Platform {
  readonly db: Database;
  /** The database with the role that owns the tables, for making partitions. Undefined on a node without it. */
  readonly owner: Database | undefined;
  readonly clock: Clock;
  readonly ids: IdMaker;
  readonly vault: Vault;
  readonly auditSeal: AuditSeal;
  readonly settings: Settings;
  readonly config: Config;
  readonly log: Logger;
  readonly state: NodeState;
}

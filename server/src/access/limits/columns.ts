import { sql } from '../../platform/db/database.ts';

/** The limits of a merchant's calls. Addresses and networks as text; an empty list allows any address. */
export interface LimitsRow {
  readonly callsPerSecond: number | null;
  readonly payInIps: readonly string[];
  readonly payoutIps: readonly string[];
  readonly consoleIps: readonly string[];
}

export const LIMIT_COLUMNS = sql`
  calls_per_second as "callsPerSecond", pay_in_ips as "payInIps", payout_ips as "payoutIps", console_ips as "consoleIps"`;

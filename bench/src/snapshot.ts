import { parseArgs } from 'node:util';
import { openDatabase, sql } from '@sangam/server/platform/db/database.ts';
import { createOverHttp, warmUp } from './load/sides.ts';
import { startRig } from './rig.ts';
import { compare } from './rounds.ts';

/*
 * Creates over HTTP beside an idle transaction with a snapshot (a report, a pg_dump, somebody's psql), over creates without one.
 * Under a snapshot PostgreSQL can remove no old row version, so a row that is rewritten often becomes slower to find.
 *
 *   npm run bench -- snapshot [--rounds 3] [--minutes 1] [--connections 64]      in full: --rounds 1 --minutes 10
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    minutes: { type: 'string', default: '1' },
    connections: { type: 'string', default: '64' },
    port: { type: 'string', default: '8399' },
    merchants: { type: 'string', default: '20' },
    accounts: { type: 'string', default: '50' },
  },
});
/** Seconds per start of the load program: the requests of ten minutes would not fit into its memory. */
const PIECE = 15;
const MOST_PER_SECOND = 5_000;

const shape = { merchants: Number(values.merchants), accounts: Number(values.accounts) };
const rig = await startRig(shape, Number(values.port));
const load = { merchants: rig.merchants, productId: '1010', connections: Number(values.connections) };

async function creates(seconds: number): Promise<number> {
  let done = 0;
  let taken = 0;
  while (taken < seconds) {
    const piece = Math.min(PIECE, Math.ceil(seconds - taken));
    const result = await createOverHttp(rig, { ...load, seconds: piece, requests: piece * MOST_PER_SECOND });
    done += result.done;
    taken += result.seconds;
  }
  return done / taken;
}

async function besideSnapshot(seconds: number): Promise<number> {
  const limits = { silence: 0, idleInTransaction: 0 };
  const reports = openDatabase(rig.databaseUrl, { applicationName: 'a long report', limits });
  const reader = await reports.pool.connect();
  try {
    await reader.query('begin isolation level repeatable read');
    await reader.query('select count(*) from merchants');
    const rate = await creates(seconds);
    // Fails if the snapshot was cancelled meanwhile.
    await reader.query('rollback');
    return rate;
  } finally {
    reader.release(true);
    await reports.close();
    // Removes what the snapshot kept, so that it does not slow the other side.
    await rig.platform.db.query(sql`vacuum analyze`);
  }
}

try {
  await warmUp(rig, { ...load, seconds: 20, requests: 8_000 });
  await compare(
    { name: 'creates beside a snapshot', run: besideSnapshot },
    { name: 'creates without', run: creates },
    { rounds: Number(values.rounds), seconds: Number(values.minutes) * 60 },
  );
} finally {
  await rig.stop();
}

import { parseArgs } from 'node:util';
import { parseTime } from '@sangam/contract/time.ts';
import { restored } from '../maintenance/restored.ts';
import { sql } from '../platform/db/database.ts';
import { onOwnNode, runCommand } from './command.ts';

const USAGE = "Usage: npm run restored -- --to 'YYYY-MM-DD HH:mm:ss' (Asia/Kolkata)";

/** `npm run restored -- --to TIME`: makes a restored database safe before its nodes start (docs/deploying.md). */
await runCommand(async () => {
  const { values } = parseArgs({ options: { to: { type: 'string' } } });
  const restoredTo = values.to === undefined ? undefined : parseTime(values.to);
  if (!restoredTo) throw new Error(USAGE);
  await onOwnNode(
    async (platform) => {
      const { db, clock } = platform;
      if (restoredTo > clock.now())
        throw new Error(`${values.to} is in the future (the times are Asia/Kolkata).`);
      const [nodes] = await db.query<{ count: number }>(sql`
        select count(*)::int as count from node_slots where leased_until > ${clock.now()}`);
      if (nodes!.count > 1)
        throw new Error('Other nodes work on this database: stop them and try again a minute later.');
      const done = await restored(platform, restoredTo);
      process.stdout.write(
        done
          ? `Frozen: ${done.payouts} open payouts. Expired: ${done.requests} requests. Ended: ${done.sessions} sessions. Asked to report again: ${done.monitors} monitors. enableService is off.\n`
          : 'This was done before: nothing was changed.\n',
      );
    },
    { isRestoring: true },
  );
});

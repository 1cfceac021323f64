import { DAY } from '../clock.ts';
import type { Mend } from '../mend.ts';
import { type Tx, sql } from './database.ts';

/** No job rests longer than this. A lease beyond it comes from a manual write or a wrong clock, and would stop its job. */
const LONGEST = 2 * DAY;

/** Resets leases so far in the future that no node could take the job for days. The job is then due now. */
export async function mendJobLeases(tx: Tx, at: Date): Promise<Mend[]> {
  const rows = await tx.query<{ name: string; until: Date }>(sql`
    with stuck as (
      select name, leased_until from job_leases where leased_until > ${new Date(at.getTime() + LONGEST)} order by name for update
    )
    update job_leases l set leased_until = ${at} from stuck s where s.name = l.name
    returning l.name, s.leased_until as until`);
  return rows.map(({ name, until }) => ({
    kind: 'jobLease',
    subject: `job:${name}`,
    before: { until: until.toISOString() },
    after: { until: at.toISOString() },
  }));
}

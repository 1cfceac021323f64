import { parentPort, workerData } from 'node:worker_threads';
import { compareStatement } from './compare.ts';
import { readStatement } from './read-statement.ts';
import type { StatementJob } from './statement-work.ts';

/** The thread of one job on a statement (statement-work.ts). It does the job, answers and ends. */
const job = workerData as StatementJob;
parentPort!.postMessage(
  'text' in job ? readStatement(job.text, job.country) : compareStatement(job.lines, job.told),
);

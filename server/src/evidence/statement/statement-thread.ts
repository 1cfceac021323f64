import { parentPort, workerData } from 'node:worker_threads';
import { compareStatement } from './compare.ts';
import { readStatement } from './read-statement.ts';
import type { StatementJob } from './statement-work.ts';

/** The thread of one piece of work on a statement (statement-work.ts): it does it, answers and ends. */
const job = workerData as StatementJob;
parentPort!.postMessage(
  'text' in job ? readStatement(job.text, job.country) : compareStatement(job.lines, job.told),
);

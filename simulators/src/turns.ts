import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The demo's own traffic and `npm run simulate` play the same banks, phones and gateways on the same ports: one of them at
 * a time. A simulation leaves its process id in the data folder; the demo's traffic ends when it sees one, and waits for it.
 */
const fileIn = (data: string): string => join(data, 'simulation.pid');

/** From now on the demo's traffic rests. Answers what ends the turn. */
export async function takeTurn(data: string): Promise<() => Promise<void>> {
  await writeFile(fileIn(data), String(process.pid));
  return () => rm(fileIn(data), { force: true });
}

/** Whether a simulation runs now; a file whose process is gone does not count. */
export async function isSimulating(data: string): Promise<boolean> {
  const pid = Number(await readFile(fileIn(data), 'utf8').catch(() => ''));
  if (!(pid > 0)) return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The demo's own traffic and `npm run simulate` simulate the same banks, phones and gateways on the same ports, so only one of them
 * may run. A simulation writes its process id to the data folder. The demo's traffic ends when it finds one, and waits.
 */
const fileIn = (data: string): string => join(data, 'simulation.pid');

/** Stops the demo's traffic from now on. Returns a function that ends the turn. */
export async function takeTurn(data: string): Promise<() => Promise<void>> {
  await writeFile(fileIn(data), String(process.pid));
  return () => rm(fileIn(data), { force: true });
}

/** Whether a simulation runs now. A file whose process is gone does not count. */
export async function isSimulating(data: string): Promise<boolean> {
  const pid = Number(await readFile(fileIn(data), 'utf8').catch(() => ''));
  if (!(pid > 0)) return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

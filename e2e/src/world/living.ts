import { spawn } from 'node:child_process';
import { setTimeout as passTime } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { getHome } from '@sangam/contract/endpoints/home.ts';
import { enterWorld, serverUrl } from './demo.ts';
import { newWorld } from './new-world.ts';
import { callAs, sessionOf } from './session.ts';

const LOOK_MS = 500;
const SERVE = fileURLToPath(new URL('../../serve.ts', import.meta.url));

/**
 * Starts a demo as `npm start` does: its outside world runs, monitors send heartbeats, and banks send messages by themselves. This
 * worker stays in that world until it calls the returned function. `users` are signed in first, because the outside world uses the
 * same accounts, and each code works only once.
 */
export async function enterLivingWorld(users: readonly string[]): Promise<() => Promise<void>> {
  const world = { ...(await newWorld()), isLiving: true };
  const server = spawn(process.execPath, [SERVE, String(world.port), world.dataDir, 'living'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // A process group of its own, so that one signal reaches all of it.
    detached: true,
  });
  const gone = new Promise((resolve) => server.once('exit', resolve));
  const left = enterWorld(world);
  const leave = async () => {
    enterWorld(left);
    process.kill(-server.pid!, 'SIGTERM');
    await gone;
  };
  try {
    await untilTrue(async () => (await fetch(`${serverUrl}/healthz`)).ok);
    for (const user of users) await untilTrue(async () => Boolean(await sessionOf(user)));
    await untilTrue(async () => ((await callAs(users[0]!, getHome, {})).accounts?.online ?? 0) > 0);
    return leave;
  } catch (error) {
    await leave();
    throw error;
  }
}

/** Waits until it is true. The test's own time limit ends a wait in vain. */
async function untilTrue(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo().catch(() => false))) await passTime(LOOK_MS);
}

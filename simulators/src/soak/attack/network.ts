import { spawn, execFileSync } from 'node:child_process';
import { once } from 'node:events';

/**
 * A network namespace of this program, in which every IPv4 address leads to this machine. Proxy, people and attackers have
 * addresses as on the internet, and every call that the node is tricked into arrives at a trap. Nothing leaves the namespace.
 */

const MARK = 'SANGAM_ATTACK_NETWORK';

export const ADDRESSES = {
  node: '10.77.0.1',
  proxy: '10.77.0.2',
  /** Addresses of staff and of a merchant whose calls continue meanwhile. */
  staff: '49.36.10.1',
  merchant: '49.36.10.2',
  /** A server on the internet that receives honest callbacks. */
  internet: '45.33.32.156',
} as const;

/** The address of a hostile caller. */
export const hostile = (index: number) => `51.${15 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;

/** True inside the namespace. Outside it, runs this program again inside and exits with that program's code. */
export async function isInside(): Promise<boolean> {
  if (process.env[MARK] !== undefined) {
    for (const line of ['link set lo up', 'route add local 0.0.0.0/0 dev lo'])
      execFileSync('ip', line.split(' '));
    return true;
  }
  const asUser = process.getuid?.() === 0 ? [] : ['--user', '--map-current-user', '--keep-caps'];
  const command = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const child = spawn('unshare', [...asUser, '--net', ...command], {
    stdio: 'inherit',
    env: { ...process.env, [MARK]: '1' },
  });
  const [code] = (await Promise.race([
    once(child, 'exit'),
    once(child, 'error').then(([error]: unknown[]) => {
      throw new Error('A network namespace is needed (Linux, unshare and ip).', { cause: error });
    }),
  ])) as [number | null];
  process.exitCode = code ?? 1;
  return false;
}

import { readFileSync, readdirSync } from 'node:fs';

/** A clock tick of /proc is a hundredth of a second on every Linux that Node supports. */
const TICK_MS = 10;

interface Stat {
  readonly parent: number;
  readonly ownMs: number;
  /** CPU milliseconds of children that have ended. */
  readonly endedMs: number;
}

function statOf(pid: number | string): Stat | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = line
      .slice(line.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const ms = (first: number) => (fields[first]! + fields[first + 1]!) * TICK_MS;
    return { parent: fields[1]!, ownMs: ms(11), endedMs: ms(13) };
  } catch {
    return undefined;
  }
}

/** CPU milliseconds that a process and its children have used so far. */
export function cpuMsOf(pid: number): number {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((stat) => stat?.parent === pid);
  const own = statOf(pid);
  return [own, ...children].reduce((sum, stat) => sum + (stat?.ownMs ?? 0), own?.endedMs ?? 0);
}

/** CPU milliseconds of this process's children that have ended. */
export function endedChildrenMs(): number {
  return statOf(process.pid)!.endedMs;
}

import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { MINUTE, SECOND } from '../clock.ts';

export interface NameAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Resolves a name. Throws when the name has no address or its server does not answer. */
export type Names = (name: string) => Promise<readonly NameAddress[]>;

const HOSTS_FILE = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';
/** Of the first try. There are two; the second gets twice the time. */
const TIMEOUT = 1.5 * SECOND;
/** Bounds of how long an answer is used, whatever its TTL. */
const [SHORTEST, LONGEST] = [5 * SECOND, 5 * MINUTE];
/** How long a failure is used. Nobody asks again in that time. */
const FAILURE_KEPT = 15 * SECOND;
const MOST_KEPT = 10_000;

interface Kept {
  readonly answer: Promise<readonly NameAddress[]>;
  /** As performance.now(). Infinity while the question is under way. */
  until: number;
}

/**
 * Makes a resolver that asks name servers over the network. `dns.lookup` would block one of libuv's few threads while a name server is
 * silent; four such names stopped every look-up of the process. Names in the hosts file come first, as usual. `servers` replaces the
 * machine's name servers, for tests.
 */
export function createNames(servers?: readonly string[]): Names {
  const resolver = new Resolver({ timeout: TIMEOUT, tries: 2 });
  if (servers) resolver.setServers(servers);
  const kept = new Map<string, Kept>();
  let hosts: { readonly read: Promise<Map<string, NameAddress[]>>; readonly until: number } | undefined;

  function hostsNow(): Promise<Map<string, NameAddress[]>> {
    const now = performance.now();
    if (!hosts || hosts.until <= now) hosts = { read: readHosts(), until: now + LONGEST };
    return hosts.read;
  }

  async function ask(name: string, entry: { until: number }): Promise<readonly NameAddress[]> {
    try {
      const local = (await hostsNow()).get(name) ?? localhost(name);
      if (local) {
        entry.until = performance.now() + SHORTEST;
        return local;
      }
      const sixes = resolver.resolve6(name, { ttl: true });
      sixes.catch(() => undefined);
      // When there is an IPv4 address, the answer does not wait for IPv6.
      const fours = await resolver.resolve4(name, { ttl: true }).catch(() => []);
      const found = fours.length > 0 ? fours : await sixes;
      const ttl = Math.min(...found.map((each) => each.ttl)) * SECOND;
      entry.until = performance.now() + Math.min(LONGEST, Math.max(SHORTEST, ttl));
      return found.map(({ address }) => ({ address, family: fours.length > 0 ? 4 : 6 }));
    } catch (error) {
      entry.until = performance.now() + FAILURE_KEPT;
      throw error;
    }
  }

  return (written) => {
    const name = written.toLowerCase().replace(/\.$/, '');
    const known = kept.get(name);
    if (known && known.until > performance.now()) return known.answer;
    if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value!);
    const entry = { until: Infinity };
    const made = Object.assign(entry, { answer: ask(name, entry) });
    made.answer.catch(() => undefined);
    kept.set(name, made);
    return made.answer;
  };
}

/** RFC 6761: localhost is this machine, whatever a server says. */
function localhost(name: string): readonly NameAddress[] | undefined {
  return name === 'localhost' || name.endsWith('.localhost')
    ? [{ address: '127.0.0.1', family: 4 }]
    : undefined;
}

async function readHosts(): Promise<Map<string, NameAddress[]>> {
  const text = await readFile(HOSTS_FILE, 'utf8').catch(() => '');
  const found = new Map<string, NameAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family !== 4 && family !== 6) continue;
    for (const name of names.map((each) => each.toLowerCase()))
      found.set(name, [...(found.get(name) ?? []), { address, family }]);
  }
  return found;
}

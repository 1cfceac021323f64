import type { Prng } from '../../prng.ts';
import { ADDRESSES } from './network.ts';

/** Ports of the trap: those of the web, and some services inside many networks. */
export const TRAP_PORTS = [80, 443, 22, 25, 3000, 6379, 8000, 9200] as const;

type Four = readonly [number, number, number, number];

const NETWORKS: readonly ((random: Prng) => Four)[] = [
  (random) => [127, random.int(0, 255), random.int(0, 255), random.int(1, 254)],
  (random) => [10, random.int(0, 255), random.int(0, 255), random.int(1, 254)],
  (random) => [172, random.int(16, 31), random.int(0, 255), random.int(1, 254)],
  (random) => [192, 168, random.int(0, 255), random.int(1, 254)],
  (random) => [100, random.int(64, 127), random.int(0, 255), random.int(1, 254)],
  (random) => [198, random.int(18, 19), random.int(0, 255), random.int(1, 254)],
  () => [169, 254, 169, 254],
  () => [192, 0, 0, 192],
  () => [0, 0, 0, 0],
];

const octal = (part: number) => `0${part.toString(8)}`;
const hex = (part: number) => `0x${part.toString(16)}`;
const whole = ([a, b, c, d]: Four) => a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d;
const wide = (text: string) =>
  text.replaceAll('.', '。').replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));

/** Spellings of an address that some parsers accept and others do not. */
const SPELLINGS: readonly ((four: Four) => string)[] = [
  (four) => four.join('.'),
  (four) => String(whole(four)),
  (four) => hex(whole(four)),
  (four) => four.map(octal).join('.'),
  (four) => four.map(hex).join('.'),
  ([a, b, c, d]) => `${a}.${b}.${c * 256 + d}`,
  ([a, b, c, d]) => `${a}.${b * 65_536 + c * 256 + d}`,
  ([a, b, c, d]) => `${octal(a)}.${hex(b)}.${c}.${d}`,
  (four) => `${four.join('.')}.`,
  (four) => wide(four.join('.')),
  ([a, ...rest]) => `%3${String(a).slice(0, 1)}${String(a).slice(1)}.${rest.join('.')}`,
  (four) => `[::ffff:${four.join('.')}]`,
  (four) => `[::${four.join('.')}]`,
  (four) => `[64:ff9b::${four.join('.')}]`,
  (four) => `[0:0:0:0:0:ffff:${four.join('.')}]`,
  ([a, b, c, d]) => `[2002:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}::1]`,
  () => '[::1]',
  () => '[::]',
  () => 'localhost',
  () => 'LOCALHOST.',
  () => 'inside.localhost',
];

/** The name server's answers: each name contains its own answer. */
export function answerOf(): (name: string) => readonly string[] | null {
  const asked = new Map<string, number>();
  return (name) => {
    const [, kind, text] = /^(private|mixed|rebind)-([\d-]+)\.test$/.exec(name) ?? [];
    if (kind === undefined || text === undefined) return null;
    const inside = text.replaceAll('-', '.');
    const times = (asked.get(name) ?? 0) + 1;
    asked.set(name, times);
    if (kind === 'mixed') return [ADDRESSES.internet, inside];
    return kind === 'rebind' && times % 2 === 1 ? [ADDRESSES.internet] : [inside];
  };
}

const NAMES = ['private', 'mixed', 'rebind'] as const;

/** URLs that lead to where a callback must not go. */
export function targets(random: Prng, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const four = random.pick(NETWORKS)(random);
    const port = random.pick(['', '', ...TRAP_PORTS.map((each) => `:${each}`)]);
    const scheme = random.pick(['http', 'http', 'https']);
    const inside = `${random.pick(SPELLINGS)(four)}${port}`;
    switch (index % 8) {
      case 0:
        return `${scheme}://${random.pick(NAMES)}-${four.join('-')}.test${port}/`;
      case 1:
        // The server on the internet answers with a redirect to it.
        return `http://${ADDRESSES.internet}/to?${encodeURIComponent(`http://${four.join('.')}${port}/`)}`;
      case 2:
        return random.pick([
          `http://${ADDRESSES.internet}@${inside}/`,
          `http://${ADDRESSES.internet}%20@${inside}/`,
          `http://${ADDRESSES.internet}\\@${inside}/`,
          `http://${inside}#@${ADDRESSES.internet}/`,
          `http://${inside}?@${ADDRESSES.internet}/`,
        ]);
      default:
        return `${scheme}://${inside}/${random.pick(['', 'latest/meta-data/', 'notify?id=1', '..%2f'])}`;
    }
  });
}

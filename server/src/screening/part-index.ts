const MOST = 64;
const BASE = 31;
const NONE: readonly number[] = [];
const POWERS = new Int32Array(MOST + 1).fill(1);
for (let at = 1; at <= MOST; at += 1) POWERS[at] = Math.imul(POWERS[at - 1]!, BASE);

/** Spreads the bits of a sum, so that what begins alike does not end alike (the last steps of murmur3). */
function mix(sum: number, length: number): number {
  let mixed = sum ^ Math.imul(length, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

// One look at a time: nothing here waits.
const ends = new Int32Array(MOST + 1);

/**
 * Hashes of a text (the first) and, if it is long enough to be known by the rest, of each text shorter by one letter: texts
 * that are one letter apart have a hash in common. The shorter texts themselves are not made.
 */
export function partsOf(text: string): number[] {
  const length = Math.min(text.length, MOST);
  ends[length] = 0;
  for (let at = length - 1; at >= 0; at -= 1)
    ends[at] = Math.imul(text.charCodeAt(at), POWERS[length - 1 - at]!) + ends[at + 1]!;
  const hashes = [mix(ends[0]!, length)];
  if (length < 4) return hashes;
  let start = 0;
  for (let at = 0; at < length; at += 1) {
    hashes.push(mix(Math.imul(start, POWERS[length - 1 - at]!) + ends[at + 1]!, length - 1));
    start = (Math.imul(start, BASE) + text.charCodeAt(at)) | 0;
  }
  return hashes;
}

/** Places by hash. A few places of other texts may be among those found. */
export class PartIndex {
  private readonly places = new Map<number, number[]>();

  add(hash: number, place: number): void {
    const list = this.places.get(hash);
    if (!list) this.places.set(hash, [place]);
    else if (list.at(-1) !== place) list.push(place);
  }

  find(hash: number): readonly number[] {
    return this.places.get(hash) ?? NONE;
  }
}

/** Of two texts in any order, one of them whole: each hash of the one with the whole of the other. */
export function pairsOf(a: readonly number[], b: readonly number[]): number[] {
  const found = b.map((part) => (a[0]! + part) | 0);
  for (let at = 1; at < a.length; at += 1) found.push((a[at]! + b[0]!) | 0);
  return found;
}

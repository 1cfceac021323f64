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
  /** Most hashes have one place: with a list for each, 20,000 names took 57 MB instead of 32. */
  private readonly places = new Map<number, number | number[]>();

  add(hash: number, place: number): void {
    const known = this.places.get(hash);
    if (known === undefined) this.places.set(hash, place);
    else if (typeof known === 'number') {
      if (known !== place) this.places.set(hash, [known, place]);
    } else if (known.at(-1) !== place) known.push(place);
  }

  find(hash: number): readonly number[] {
    const known = this.places.get(hash);
    return known === undefined ? NONE : typeof known === 'number' ? [known] : known;
  }
}

/** Of each two texts in any order, one of them whole: each hash of the one with the whole of the other. */
export function pairsOf(texts: readonly (readonly number[])[]): number[] {
  const found: number[] = [];
  for (const [at, a] of texts.entries())
    for (const b of texts.slice(0, at)) {
      for (const part of b) found.push((a[0]! + part) | 0);
      for (let each = 1; each < a.length; each += 1) found.push((a[each]! + b[0]!) | 0);
    }
  return found;
}

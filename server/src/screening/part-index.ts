const A = 97;
const LETTERS = 26;
/** Longer texts are cut, because by then it is clear whether they differ. */
const MOST = 64;
const BASE = 31;
const POWERS = new Int32Array(MOST + 1).fill(1);
for (let at = 1; at <= MOST; at += 1) POWERS[at] = Math.imul(POWERS[at - 1]!, BASE);

/** The sound of each letter for a search. All vowels are one sound, and v sounds like b. */
const FIRST_SOUND = Uint8Array.from({ length: LETTERS }, (_, at) => {
  const letter = String.fromCharCode(A + at);
  return 'aeiou'.includes(letter) ? A : letter === 'v' ? A + 1 : A + at;
});
/** After the first letter only consonants count. */
const SOUND = FIRST_SOUND.map((sound, at) => (sound === A || at === 'h'.charCodeAt(0) - A ? 0 : sound));

// Shared buffers, because nothing here is asynchronous.
const sounds = new Uint8Array(MOST);
const ends = new Int32Array(MOST + 1);

/** Writes the first letter and the consonants of folded words, run together and without repetitions, to `sounds`. Answers how many. */
function readSounds(words: readonly string[]): number {
  let length = 0;
  let last = 0;
  for (const word of words)
    for (let at = 0; at < word.length && length < MOST; at += 1) {
      const sound = (length === 0 ? FIRST_SOUND : SOUND)[word.charCodeAt(at) - A]!;
      if (sound === 0 || sound === last) continue;
      sounds[length] = sound;
      last = sound;
      length += 1;
    }
  return length;
}

/** Spreads the bits of a sum, so that similar sums have different hashes (the last steps of murmur3). */
function mix(sum: number, length: number): number {
  let mixed = sum ^ Math.imul(length, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/**
 * Hashes of the sounds of folded words, run together. The first is of the whole; if that is long enough, the others are of the text without
 * one of its sounds. So words that differ by one sound share a hash. The shorter texts themselves are not built.
 */
export function partsOf(words: readonly string[]): number[] {
  const length = readSounds(words);
  ends[length] = 0;
  for (let at = length - 1; at >= 0; at -= 1)
    ends[at] = Math.imul(sounds[at]!, POWERS[length - 1 - at]!) + ends[at + 1]!;
  const hashes = [mix(ends[0]!, length)];
  if (length < 4) return hashes;
  let start = 0;
  for (let at = 0; at < length; at += 1) {
    hashes.push(mix(Math.imul(start, POWERS[length - 1 - at]!) + ends[at + 1]!, length - 1));
    start = (Math.imul(start, BASE) + sounds[at]!) | 0;
  }
  return hashes;
}

/** For each two texts in any order: each hash of one combined with the whole of the other, so that one of the two is whole. */
export function pairsOf(texts: readonly (readonly number[])[]): number[] {
  const found: number[] = [];
  for (let first = 1; first < texts.length; first += 1)
    for (let second = 0; second < first; second += 1) {
      const [a, b] = [texts[first]!, texts[second]!];
      for (let at = 0; at < b.length; at += 1) found.push((a[0]! + b[at]!) | 0);
      for (let at = 1; at < a.length; at += 1) found.push((a[at]! + b[0]!) | 0);
    }
  return found;
}

/** A link is three numbers: hash, place, and the next link in its bucket. */
const PLACE = 1;
const NEXT = 2;
const LINK = 3;
const eighthOf = (hash: number) => 1 << (hash >>> 29);

/** Places by hash, in flat arrays of numbers. */
export class PartIndex {
  /**
   * For each bucket, which eighths of all hashes it holds. It is small enough for the processor's cache, and nearly every look-up ends
   * here.
   */
  private eighths = new Uint8Array(1_024);
  private buckets = new Int32Array(1_024);
  private links = new Int32Array(this.buckets.length * LINK);
  /** Where the next link is written. Position 0 means 'no link'. */
  private end = LINK;

  add(hash: number, place: number): void {
    // One name may have the same hash twice.
    const newest = this.first(hash);
    if (newest !== 0 && this.placeOf(newest) === place) return;
    if (this.end === this.links.length) this.grow();
    this.links[this.end] = hash;
    this.links[this.end + PLACE] = place;
    this.enter(this.end);
    this.end += LINK;
  }

  /** The newest link of a hash. 0: none. */
  first(hash: number): number {
    const bucket = hash & (this.buckets.length - 1);
    return (this.eighths[bucket]! & eighthOf(hash)) === 0 ? 0 : this.seek(this.buckets[bucket]!, hash);
  }

  /** The next older link with the same hash. */
  before(link: number): number {
    return this.seek(this.links[link + NEXT]!, this.links[link]!);
  }

  placeOf(link: number): number {
    return this.links[link + PLACE]!;
  }

  private seek(from: number, hash: number): number {
    let link = from;
    while (link !== 0 && this.links[link] !== hash) link = this.links[link + NEXT]!;
    return link;
  }

  private enter(link: number): void {
    const hash = this.links[link]!;
    const bucket = hash & (this.buckets.length - 1);
    this.eighths[bucket]! |= eighthOf(hash);
    this.links[link + NEXT] = this.buckets[bucket]!;
    this.buckets[bucket] = link;
  }

  private grow(): void {
    const links = new Int32Array(this.links.length * 2);
    links.set(this.links);
    this.links = links;
    this.buckets = new Int32Array(this.buckets.length * 2);
    this.eighths = new Uint8Array(this.buckets.length);
    for (let link = LINK; link < this.end; link += LINK) this.enter(link);
  }
}

const A = 97;
const LETTERS = 26;
/** Longer texts are cut: by then they differ or they do not. */
const MOST = 64;
const BASE = 31;
const POWERS = new Int32Array(MOST + 1).fill(1);
for (let at = 1; at <= MOST; at += 1) POWERS[at] = Math.imul(POWERS[at - 1]!, BASE);

/** What each letter is to a search: vowels are one sound, v is b. */
const FIRST_SOUND = Uint8Array.from({ length: LETTERS }, (_, at) => {
  const letter = String.fromCharCode(A + at);
  return 'aeiou'.includes(letter) ? A : letter === 'v' ? A + 1 : A + at;
});
/** After the first letter only consonants count. */
const SOUND = FIRST_SOUND.map((sound, at) => (sound === A || at === 'h'.charCodeAt(0) - A ? 0 : sound));

// One look at a time: nothing here waits.
const sounds = new Uint8Array(MOST);
const ends = new Int32Array(MOST + 1);

/** The first letter and the consonants of folded words run together, each once in a row, into `sounds`; says how many. */
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

/** Spreads the bits of a sum, so that what begins alike does not end alike (the last steps of murmur3). */
function mix(sum: number, length: number): number {
  let mixed = sum ^ Math.imul(length, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/**
 * Hashes of what folded words sound like, run together (the first) and, if it is long enough to be known by the rest, of that
 * without one of its sounds: words that are one sound apart have a hash in common. The shorter texts themselves are not made.
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

/** Of each two texts in any order, one of them whole: each hash of the one with the whole of the other. */
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

/** A link is three numbers: hash, place, and the next link of its bucket. */
const PLACE = 1;
const NEXT = 2;
const LINK = 3;
const eighthOf = (hash: number) => 1 << (hash >>> 29);

/** Places by hash, in flat arrays of numbers. */
export class PartIndex {
  /** Which eighths of all hashes a bucket has: small enough to stay near the processor, and where nearly every look ends. */
  private eighths = new Uint8Array(1_024);
  private buckets = new Int32Array(1_024);
  private links = new Int32Array(this.buckets.length * LINK);
  /** Where the next link goes; there is none at 0. */
  private end = LINK;

  add(hash: number, place: number): void {
    // Of one name the same hash may come twice.
    const newest = this.first(hash);
    if (newest !== 0 && this.placeOf(newest) === place) return;
    if (this.end === this.links.length) this.grow();
    this.links[this.end] = hash;
    this.links[this.end + PLACE] = place;
    this.enter(this.end);
    this.end += LINK;
  }

  /** The newest link of a hash; 0: it has none. */
  first(hash: number): number {
    const bucket = hash & (this.buckets.length - 1);
    return (this.eighths[bucket]! & eighthOf(hash)) === 0 ? 0 : this.seek(this.buckets[bucket]!, hash);
  }

  /** The link that its hash had before this one. */
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

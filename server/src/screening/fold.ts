/** Spellings that no rule brings together. */
const SAME = new Map(
  Object.entries({
    md: 'mohamad',
    mohd: 'mohamad',
    mohamed: 'mohamad',
    mohammed: 'mohamad',
    mohammad: 'mohamad',
    muhammad: 'mohamad',
    muhammed: 'mohamad',
    mhmd: 'mohamad',
    simh: 'sing',
    simgh: 'sing',
    sinh: 'sing',
    sinha: 'sinha',
    chowdhury: 'codari',
    chaudhary: 'codari',
    choudhary: 'codari',
    chaudhari: 'codari',
    chaudhuri: 'codari',
  }),
);

/** Spellings of one sound and their replacement, step by step. Each step works on the result of the step before. */
const RULES = [
  'ce=se ci=si cy=sy ch=c ck=k c=k q=k x=ks',
  'ch=c ph=f gh=g kh=k bh=b dh=d th=t jh=j sh=s w=v z=j aa=a',
  'mg=ng mk=nk ee=i ii=i ea=i ie=i oo=u ou=u uu=u',
  'au=o ai=e ay=e ei=e ey=e y=i',
  Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => `${letter}${letter}=${letter}`).join(' '),
];

const A = 97;
/** Stands for 'no letter', after the 26 letters. */
const NONE = 26;
const WIDTH = 27;
const H = 'h'.charCodeAt(0) - A;
/** Longer words are cut. */
const MOST = 64;

const codesOf = (text: string) => Array.from(text, (letter) => letter.charCodeAt(0) - A);

/** What a letter becomes, by that letter and the next: two letters of five bits each; the bits above count the letters read. */
function stepOf(rules: string): Uint16Array {
  const step = new Uint16Array(WIDTH * WIDTH);
  const put = (at: number, [one, two = NONE]: number[], read: number) => {
    step[at] = (read << 10) | (two << 5) | one!;
  };
  for (let at = 0; at < step.length; at += 1) put(at, [Math.floor(at / WIDTH)], 1);
  const parsed = rules.split(' ').map((rule) => rule.split('=').map(codesOf) as [number[], number[]]);
  // Rules of two letters come before rules of one letter.
  for (const [from, to] of parsed.toSorted(([a], [b]) => a.length - b.length))
    for (let next = 0; next < WIDTH; next += 1) put(from[0]! * WIDTH + (from[1] ?? next), to, from.length);
  return step;
}
const STEPS = RULES.map(stepOf);

// Shared buffers, because nothing here is asynchronous. A step may double the length of a word.
let [from, to] = [Buffer.alloc(2 * MOST + 1), Buffer.alloc(2 * MOST + 1)];

/** Roughly the sound of a word from `tokensOf` (letters a to z). Spellings that differ by transliteration or by the writer become equal. */
export function fold(word: string): string {
  const known = SAME.get(word);
  if (known !== undefined) return known;
  let length = Math.min(word.length, MOST);
  for (let at = 0; at < length; at += 1) from[at] = word.charCodeAt(at) - A;
  for (const step of STEPS) {
    from[length] = NONE;
    let made = 0;
    for (let at = 0; at < length;) {
      const found = step[from[at]! * WIDTH + from[at + 1]!]!;
      to[made] = found & 31;
      made += 1;
      const second = (found >> 5) & 31;
      if (second !== NONE) {
        to[made] = second;
        made += 1;
      }
      at += found >> 10;
    }
    [from, to] = [to, from];
    length = made;
  }
  if (length > 1 && from[length - 1] === H) length -= 1;
  for (let at = 0; at < length; at += 1) from[at]! += A;
  return from.toString('latin1', 0, length);
}

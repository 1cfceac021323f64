const A = 97;
const LETTERS = 26;
/** Stands for 'no letter'. */
const NONE = -1;
const VOWELS = 'aeiou';
/** Pairs of letters that often differ only in how a name is written. */
const CLOSE = ['vb', 'sj', 'td', 'nm', 'kg', 'pf', 'bp'];

/** Costs are tenths of a letter. */
const TENTHS = 10;
const TURNED = 7;
const VOWEL = 5;
const VOWEL_SWAP = 4;

/** The cost of leaving a letter out or adding one. */
const LETTER_COST = Uint8Array.from({ length: LETTERS }, (_, at) => {
  const letter = String.fromCharCode(A + at);
  if (letter === 'a' || letter === 'h') return 3;
  return VOWELS.includes(letter) ? VOWEL : 9;
});

/** The cost of writing one letter for another, by row and column. */
const SWAP_COST = Uint8Array.from({ length: LETTERS * LETTERS }, (_, at) => {
  const [a, b] = [String.fromCharCode(A + Math.floor(at / LETTERS)), String.fromCharCode(A + (at % LETTERS))];
  if (a === b) return 0;
  if (VOWELS.includes(a) && VOWELS.includes(b)) return VOWEL_SWAP;
  return CLOSE.includes(a + b) || CLOSE.includes(b + a) ? 5 : 10;
});

/** Close letters count as one letter. */
const KIN = Uint8Array.from({ length: LETTERS }, (_, at) => {
  const letter = String.fromCharCode(A + at);
  const close = ['bpfv', 'sj', 'td', 'nm', 'kg'].find((letters) => letters.includes(letter));
  return (close ?? letter).charCodeAt(0) - A;
});
/** The least cost of a letter that has no close letter on the other side. */
const ALONE_COST = LETTER_COST.map((cost) => (cost === VOWEL ? VOWEL_SWAP : cost));

/** Longer names are cut, because by then it is clear whether they differ. */
const MOST = 63;
// Shared buffers, because nothing here is asynchronous.
const left = new Uint8Array(MOST);
const right = new Uint8Array(MOST);
const unmatched = new Uint8Array(LETTERS);
const rows = [new Int32Array(MOST + 1), new Int32Array(MOST + 1), new Int32Array(MOST + 1)];
function read(text: string, into: Uint8Array): number {
  const length = Math.min(text.length, MOST);
  for (let at = 0; at < length; at += 1) into[at] = text.charCodeAt(at) - A;
  return length;
}

/** The least cost of turning the letters in `left` into those in `right`, whatever their order. */
function leastCost(rowCount: number, columns: number): number {
  let ofLeft = 0;
  let ofRight = 0;
  unmatched.fill(0);
  for (let i = 0; i < rowCount; i += 1) {
    const kin = KIN[left[i]!]!;
    unmatched[kin]! += 1;
    ofLeft += ALONE_COST[kin]!;
  }
  for (let j = 0; j < columns; j += 1) {
    const kin = KIN[right[j]!]!;
    if (unmatched[kin]! > 0) {
      unmatched[kin]! -= 1;
      ofLeft -= ALONE_COST[kin]!;
    } else ofRight += ALONE_COST[kin]!;
  }
  return Math.max(ofLeft, ofRight);
}

/**
 * How alike two folded words are, from 0 to 1. Damerau-Levenshtein distance, where vowels and letters that sound alike cost less. Answers 0
 * as soon as the result is sure to be below `least`.
 */
export function likeness(a: string, b: string, least: number): number {
  if (a === b) return 1;
  const rowCount = read(a, left);
  const columns = read(b, right);
  // Words shorter than 5 letters count as 5, so that one slip weighs no more in a short word than in a word of middle length.
  const longest = Math.max(rowCount, columns, 5) * TENTHS;
  const most = Math.ceil((1 - least) * longest);
  // Most words that are not alike are refused here.
  if (leastCost(rowCount, columns) > most) return 0;
  let [before, last, row] = [rows[0]!, rows[1]!, rows[2]!];
  let lowestBefore = 0;
  last[0] = 0;
  for (let j = 1; j <= columns; j += 1) last[j] = last[j - 1]! + LETTER_COST[right[j - 1]!]!;
  let fromBefore = NONE;
  for (let i = 0; i < rowCount; i += 1) {
    const from = left[i]!;
    const without = LETTER_COST[from]!;
    const swaps = from * LETTERS;
    let diagonal = last[0]!;
    let cost = diagonal + without;
    let lowest = cost;
    let toBefore = NONE;
    row[0] = cost;
    for (let j = 0; j < columns; j += 1) {
      const to = right[j]!;
      const above = last[j + 1]!;
      cost += LETTER_COST[to]!;
      if (above + without < cost) cost = above + without;
      if (diagonal + SWAP_COST[swaps + to]! < cost) cost = diagonal + SWAP_COST[swaps + to]!;
      if (from === toBefore && to === fromBefore && before[j - 1]! + TURNED < cost)
        cost = before[j - 1]! + TURNED;
      row[j + 1] = cost;
      if (cost < lowest) lowest = cost;
      diagonal = above;
      toBefore = to;
    }
    fromBefore = from;
    if (lowest > most && lowestBefore + TURNED > most) return 0;
    lowestBefore = lowest;
    [before, last, row] = [last, row, before];
  }
  return Math.max(0, 1 - last[columns]! / longest);
}

const A = 97;
const LETTERS = 26;
const VOWELS = 'aeiou';
/** Pairs of letters that names are often told apart by in writing alone. */
const CLOSE = ['vb', 'sj', 'td', 'nm', 'kg', 'pf', 'bp'];
const TURNED = 0.7;

/** What it costs to leave a letter out, or to put it in. */
const LETTER_COST = Float64Array.from({ length: LETTERS }, (_, at) => {
  const letter = String.fromCharCode(A + at);
  if (letter === 'a' || letter === 'h') return 0.3;
  return VOWELS.includes(letter) ? 0.5 : 0.9;
});

/** What it costs to write one letter for another: by row and column. */
const SWAP_COST = Float64Array.from({ length: LETTERS * LETTERS }, (_, at) => {
  const [a, b] = [String.fromCharCode(A + Math.floor(at / LETTERS)), String.fromCharCode(A + (at % LETTERS))];
  if (a === b) return 0;
  if (VOWELS.includes(a) && VOWELS.includes(b)) return 0.4;
  return CLOSE.includes(a + b) || CLOSE.includes(b + a) ? 0.5 : 1;
});

/** Longer names are cut: by then they differ or they do not. */
const MOST = 63;
const codesOf = (text: string, into: Uint8Array): number => {
  const length = Math.min(text.length, MOST);
  for (let at = 0; at < length; at += 1) into[at] = text.charCodeAt(at) - A;
  return length;
};
// One look at a time: nothing here waits.
const left = new Uint8Array(MOST);
const right = new Uint8Array(MOST);
const rows = [new Float64Array(MOST + 1), new Float64Array(MOST + 1), new Float64Array(MOST + 1)] as const;

/**
 * How alike two folded words are, 0 to 1: Damerau-Levenshtein, with vowels and letters that sound alike for less than
 * others. 0 as soon as it is sure to be below `least`.
 */
export function likeness(a: string, b: string, least: number): number {
  if (a === b) return 1;
  const rowCount = codesOf(a, left);
  const columns = codesOf(b, right);
  // A slip in a short word says no more against it than one in a word of middle length.
  const longest = Math.max(rowCount, columns, 5);
  const most = (1 - least) * longest;
  let [before, last, row] = [...rows];
  last![0] = 0;
  for (let j = 1; j <= columns; j += 1) last![j] = last![j - 1]! + LETTER_COST[right[j - 1]!]!;
  for (let i = 1; i <= rowCount; i += 1) {
    const from = left[i - 1]!;
    row![0] = last![0]! + LETTER_COST[from]!;
    let lowest = row![0]!;
    for (let j = 1; j <= columns; j += 1) {
      const to = right[j - 1]!;
      let best = last![j - 1]! + SWAP_COST[from * LETTERS + to]!;
      const without = last![j]! + LETTER_COST[from]!;
      if (without < best) best = without;
      const added = row![j - 1]! + LETTER_COST[to]!;
      if (added < best) best = added;
      if (i > 1 && j > 1 && from === right[j - 2] && left[i - 2] === to)
        best = Math.min(best, before![j - 2]! + TURNED);
      row![j] = best;
      if (best < lowest) lowest = best;
    }
    if (lowest > most) return 0;
    [before, last, row] = [last, row, before];
  }
  return Math.max(0, 1 - last![columns]! / longest);
}

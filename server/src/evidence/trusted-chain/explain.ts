/** At most this many sums are tried, so that the search ends whatever the account holds. */
const TRIES = 50_000;

/** The one set that `explanationsOf` finds; undefined if there is none, or several. */
export function onlySet<Item extends { readonly amount: bigint }>(
  items: readonly Item[],
  delta: bigint,
  most: number,
): Item[] | undefined {
  const found = explanationsOf(items, delta, most);
  return typeof found === 'string' ? undefined : found;
}

/**
 * The only set of at most `most` items whose amounts sum to `delta`. 'none' or 'several' if there is no such set, or more than one. If no
 * such set fits, all items together are tried, however many they are.
 */
export function explanationsOf<Item extends { readonly amount: bigint }>(
  items: readonly Item[],
  delta: bigint,
  most: number,
): Item[] | 'none' | 'several' {
  // With bigints the search takes six times as long. A set that is found is added up exactly.
  const amounts = items.map(({ amount }) => Number(amount));
  const wanted = Number(delta);
  const found: Item[][] = [];
  const chosen: number[] = [];
  let tries = 0;
  const search = (from: number, sum: number): void => {
    for (let index = from; index < amounts.length; index += 1) {
      if (found.length > 1 || (tries += 1) > TRIES) return;
      const next = sum + amounts[index]!;
      chosen.push(index);
      if (next === wanted) {
        const set = chosen.map((at) => items[at]!);
        if (totalOf(set) === delta) found.push(set);
      }
      if (chosen.length < most) search(index + 1, next);
      chosen.pop();
    }
  };
  search(0, 0);
  if (found.length > 1) return 'several';
  if (tries > TRIES) return 'none';
  if (found.length === 0 && items.length > most) return totalOf(items) === delta ? [...items] : 'none';
  return found[0] ?? 'none';
}

const totalOf = (items: readonly { readonly amount: bigint }[]): bigint =>
  items.reduce((sum, { amount }) => sum + amount, 0n);

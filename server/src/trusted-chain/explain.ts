/** More sums than this are not tried: the search must end whatever the account holds. */
const TRIES = 50_000;

/** The one set as `explanationsOf` finds it: what has several explanations has none. */
export function onlySet<Item extends { readonly amount: bigint }>(
  items: readonly Item[],
  delta: bigint,
  most: number,
): Item[] | undefined {
  const found = explanationsOf(items, delta, most);
  return typeof found === 'string' ? undefined : found;
}

/**
 * The one set of at most `most` items whose amounts sum to `delta`, or that there is none, or several. All items together are
 * taken, however many, where they fit and no smaller set does.
 */
export function explanationsOf<Item extends { readonly amount: bigint }>(
  items: readonly Item[],
  delta: bigint,
  most: number,
): Item[] | 'none' | 'several' {
  const found: Item[][] = [];
  let tries = 0;
  const search = (from: number, sum: bigint, chosen: readonly Item[]): void => {
    if (chosen.length > 0 && sum === delta) found.push([...chosen]);
    for (let index = from; index < items.length && chosen.length < most; index += 1) {
      if (found.length > 1 || (tries += 1) > TRIES) return;
      search(index + 1, sum + items[index]!.amount, [...chosen, items[index]!]);
    }
  };
  search(0, 0n, []);
  if (found.length > 1) return 'several';
  if (tries > TRIES) return 'none';
  if (found.length === 0 && items.length > most) {
    return items.reduce((sum, { amount }) => sum + amount, 0n) === delta ? [...items] : 'none';
  }
  return found[0] ?? 'none';
}

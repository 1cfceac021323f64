/** More sums than this are not tried: the search must end whatever the account holds. */
const TRIES = 50_000;

/**
 * The one set of at most `most` items whose amounts sum to `delta`; undefined where there is none, or several: what has
 * several explanations has none. All items together are taken, however many, where they fit.
 */
export function onlySet<Item extends { readonly amount: bigint }>(
  items: readonly Item[],
  delta: bigint,
  most: number,
): Item[] | undefined {
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
  if (tries > TRIES) return undefined;
  if (found.length === 0 && items.length > most) {
    return items.reduce((sum, { amount }) => sum + amount, 0n) === delta ? [...items] : undefined;
  }
  return found.length === 1 ? found[0] : undefined;
}

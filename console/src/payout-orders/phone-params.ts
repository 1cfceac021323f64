/** What a supplier's cards keep in the address. */
export const PHONE_PARAMS = { tab: 'cards', claim: 'claimed' } as const;

/** Whether the address asks for the cards: a link with filters of the list asks for the list. */
export function isOfCards(search: string): boolean {
  const own: readonly string[] = Object.values(PHONE_PARAMS);
  return [...new URLSearchParams(search).keys()].every((name) => own.includes(name));
}

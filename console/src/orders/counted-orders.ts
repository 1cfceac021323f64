/**
 * Filters of the order list that show exactly the orders created in a period, as the server counts them: no test orders. Without
 * `counted` the setting CompleteTimeFilter would list by completion.
 */
export const createdIn = (from: string, to: string) =>
  ({ counted: 'created', filing: 'created', period: `${from}~${to}` }) as const;

/** The orders of minutes, from the beginning of the first to the end of the last. */
export const createdInMinutes = (first: string, last: string) => createdIn(first, `${last.slice(0, 17)}59`);

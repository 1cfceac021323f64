/** What orders are counted by on the screen of their sources; merchants stand beside all of them. */
export const SOURCE_DIMENSIONS = ['hour', 'referrer', 'device', 'network', 'band', 'bank'] as const;
export type SourceDimension = (typeof SOURCE_DIMENSIONS)[number];

/**
 * The way of an order, each step with its number in the filter `reached`. An order that came to a later step counts at the
 * earlier ones: who paid without telling has come past 'told'.
 */
export const SOURCE_STEPS = ['created', 'opened', 'seen', 'told', 'paid', 'acknowledged'] as const;
export type SourceStep = (typeof SOURCE_STEPS)[number];

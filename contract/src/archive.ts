/** Tables whose old rows go to the archive. Orders first: what belongs to an order follows it, never before. */
export const ARCHIVE_TABLES = [
  'collection_orders',
  'payout_orders',
  'order_events',
  'callback_attempts',
  'messages',
] as const;
export const ARCHIVE_STATES = ['writing', 'checked', 'removed', 'givenUp'] as const;

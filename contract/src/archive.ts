/** Tables whose old rows go to the archive. Orders come first, because rows that belong to an order are archived after it. */
export const ARCHIVE_TABLES = [
  'collection_orders',
  'payout_orders',
  'order_events',
  'callback_attempts',
  'messages',
] as const;
export const ARCHIVE_STATES = ['writing', 'checked', 'removed', 'givenUp'] as const;

/** The chats of the demo's Telegram, which a simulator plays. The server puts all of them except the stranger's on the white list. */

export const DEMO_TOKENS = {
  alert: `111111:${'demo-alerts'.repeat(3)}`,
  transfer: `222222:${'demo-transfers'.repeat(3)}`,
} as const;

/** In Telegram, ids of people are never negative and ids of groups always are. */
export const DEMO_CHATS = {
  operations: { id: -1_001_000_001, title: 'Sangam operations', bot: 'alert' },
  merchant: { id: -1_001_000_002, title: 'Chowk Bazaar finance', bot: 'alert' },
  supplier: { id: -1_001_000_003, title: 'Deccan payments desk', bot: 'transfer' },
  stranger: { id: -1_001_000_004, title: 'Quick loans 24x7', bot: 'alert' },
} as const;

export const DEMO_WRITERS = {
  operator: { id: 700_001, username: 'kavya_ops' },
  merchant: { id: 700_002, username: 'chowk_finance' },
  supplier: { id: 700_003, username: 'deccan_desk' },
  stranger: { id: 700_004, username: 'loans_now' },
} as const;

/** The two bots: one sends alerts and answers groups, the other takes instructions for transfers. */
export const BOTS = ['alert', 'transfer'] as const;
export type Bot = (typeof BOTS)[number];

/** How many messages a minute Telegram takes in one group; a group may have a lower limit. */
export const MOST_A_MINUTE = 20;

/** waiting: to be sent; sent: Telegram took it; dropped: there was nothing left to say. */
export const BOT_MESSAGE_STATES = ['waiting', 'sent', 'dropped'] as const;
export type BotMessageState = (typeof BOT_MESSAGE_STATES)[number];

/**
 * The states of an instruction: unclear (not understood, nothing was started), pending (the first person decides), confirmed
 * (the second person decides), done, refused.
 */
export const TRANSFER_STATES = ['unclear', 'pending', 'confirmed', 'done', 'refused'] as const;
export type TransferState = (typeof TRANSFER_STATES)[number];

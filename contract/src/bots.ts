/** The two bots: one tells of alerts and answers groups, the other takes instructions of transfers. */
export const BOTS = ['alert', 'transfer'] as const;
export type Bot = (typeof BOTS)[number];

/** Telegram takes so many messages a minute in one group; a group may be given fewer. */
export const MOST_A_MINUTE = 20;

/** waiting: to be sent; sent: Telegram took it; dropped: there was nothing left to say. */
export const BOT_MESSAGE_STATES = ['waiting', 'sent', 'dropped'] as const;
export type BotMessageState = (typeof BOT_MESSAGE_STATES)[number];

/**
 * An instruction's way: unclear (not understood, nothing was asked for), pending (the first person decides), confirmed (the
 * second person decides), done, refused.
 */
export const TRANSFER_STATES = ['unclear', 'pending', 'confirmed', 'done', 'refused'] as const;
export type TransferState = (typeof TRANSFER_STATES)[number];

import { DEMO_CHATS, DEMO_TOKENS, DEMO_WRITERS } from '@sangam/contract/demo-chats.ts';
import { type Chat, startTelegram } from './bot-api.ts';

export interface DemoChats {
  /** Writes the messages of one round. With `mayInstruct` the supplier's desk asks for a transfer. */
  talk(mayInstruct: boolean): void;
  stop(): Promise<void>;
}

const COMMANDS = ['/today', '/balance', '/payouts'];
/** How long an alert stands before somebody takes it. */
const TAKEN_AFTER_MS = 120_000;
/** How long calls and chats are kept: Telegram counts calls per minute. */
const COUNTED_MS = 60_000;
const KEPT = 500;

const chatOf = (name: keyof typeof DEMO_CHATS): Chat => {
  const { id, title, bot } = DEMO_CHATS[name];
  return { id, title, token: DEMO_TOKENS[bot] };
};

/**
 * The demo's Telegram, with people in its groups: a merchant asks, operators take alerts, a desk gives instructions, and a stranger
 * gets no answer.
 */
export async function openDemoChats(port: number): Promise<DemoChats> {
  const telegram = await startTelegram({ port });
  let rounds = 0;

  function takeAlert(): void {
    const { id } = DEMO_CHATS.operations;
    const open = telegram.messages.find(
      ({ chatId, buttons, at }) => chatId === id && buttons.length > 0 && at < Date.now() - TAKEN_AFTER_MS,
    );
    if (open) telegram.press(chatOf('operations'), DEMO_WRITERS.operator, open.buttons[0]!);
  }

  return {
    talk(mayInstruct) {
      if (rounds === 0)
        telegram.write(chatOf('stranger'), DEMO_WRITERS.stranger, 'Fast loans, no papers. Ask me!');
      telegram.write(chatOf('merchant'), DEMO_WRITERS.merchant, COMMANDS[rounds % COMMANDS.length]!);
      if (mayInstruct)
        telegram.write(
          chatOf('supplier'),
          DEMO_WRITERS.supplier,
          '/transfer 5000 INR to Ravi Kumar 50100123456789 for office rent',
        );
      takeAlert();
      rounds += 1;
      const counted = telegram.calls.findIndex(({ at }) => at > Date.now() - COUNTED_MS);
      telegram.calls.splice(0, counted < 0 ? telegram.calls.length : counted);
      telegram.messages.splice(0, Math.max(0, telegram.messages.length - KEPT));
    },
    stop: () => telegram.stop(),
  };
}

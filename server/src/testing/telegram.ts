import { startTelegram, type SimulatedTelegram } from '@sangam/simulators/telegram/bot-api.ts';
import { storedOf } from '../platform/settings/secret.ts';
import { planAlerts, planReminders } from '../bots/plan.ts';
import { listen } from '../bots/poll.ts';
import { sendRound } from '../bots/send.ts';
import type { Platform } from '../platform/platform.ts';
import type { SettingValues } from '../platform/settings/settings.ts';
import { SECOND } from '../platform/clock.ts';
import type { FakeClock } from './clock.ts';

export const ALERT_TOKEN = `111111:${'a'.repeat(30)}`;
export const TRANSFER_TOKEN = `222222:${'t'.repeat(30)}`;

/** The simulator's Telegram, on the platform's clock. */
export function telegramFor(clock: FakeClock): Promise<SimulatedTelegram> {
  return startTelegram({ port: 0, now: () => clock.now().getTime() });
}

export async function giveToken(
  platform: Platform,
  name: 'BotToken' | 'TransferBotToken',
  token: string,
): Promise<void> {
  await platform.settings.write(name, storedOf(platform, name, token) as SettingValues[typeof name], null);
}

/** Runs this many seconds of the bots' loops. */
export async function runBots(platform: Platform, clock: FakeClock, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    clock.advance(SECOND + 1);
    await planAlerts(platform);
    await planReminders(platform);
    await sendRound(platform);
  }
}

/** Lets both bots listen once. */
export async function hear(platform: Platform, clock: FakeClock): Promise<void> {
  clock.advance(10 * SECOND);
  await listen(platform, 'alert');
  await listen(platform, 'transfer');
}

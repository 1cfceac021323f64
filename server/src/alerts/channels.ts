import { ALERTS } from '@sangam/contract/alerts.ts';
import type { Platform } from '../platform/platform.ts';
import type { Alert } from './alert.ts';
import type { AlertChannel, AlertEvent } from './store.ts';

/** The channels outside the console to which an event is sent, if they are configured. Phones get only critical alerts. */
export async function channelsOf(
  { config, settings }: Platform,
  { kind }: Alert,
  event: AlertEvent,
): Promise<readonly AlertChannel[]> {
  const { BotToken, SendSmsMessageUrl } = await settings.all();
  const channels: AlertChannel[] = [];
  if (config.alertMail) channels.push('mail');
  if (config.alertWebhook) channels.push('webhook');
  if (BotToken !== '') channels.push('telegram');
  const isUrgent = event === 'opened' && ALERTS[kind].severity === 'critical';
  if (isUrgent && SendSmsMessageUrl !== '' && config.alertPhones.length > 0) channels.push('sms');
  return channels;
}

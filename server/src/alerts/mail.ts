import { ALERTS } from '@sangam/contract/alerts.ts';
import { formatTime } from '@sangam/contract/time.ts';
import nodemailer from 'nodemailer';
import { alertText } from '../inbox/alert-text.ts';
import type { AlertMail } from '../platform/config.ts';
import { SECOND } from '../platform/clock.ts';
import type { Platform } from '../platform/platform.ts';
import { TEXTS } from '../platform/texts.ts';
import { type Delivery, deliverDue } from './outbox.ts';

/** Mails go to addresses and not to users, so they all have one language. */
const LOCALE = 'en-US';
const LIMIT = 20 * SECOND;

/** Sends one mail for all alerts that came together. */
export function sendMails(platform: Platform): Promise<number> {
  const { alertMail } = platform.config;
  if (!alertMail) return Promise.resolve(0);
  return deliverDue(platform, 'mail', (deliveries) => sendMail(alertMail, deliveries));
}

async function sendMail({ smtpUrl, from, to }: AlertMail, deliveries: readonly Delivery[]): Promise<void> {
  const transport = nodemailer.createTransport({
    url: smtpUrl,
    connectionTimeout: LIMIT,
    greetingTimeout: LIMIT,
    socketTimeout: LIMIT,
  });
  try {
    await transport.sendMail({ from, to: [...to], subject: subjectOf(deliveries), text: bodyOf(deliveries) });
  } finally {
    transport.close();
  }
}

function subjectOf(deliveries: readonly Delivery[]): string {
  const [first] = deliveries;
  const line = lineOf(first!);
  return deliveries.length === 1 ? line.slice(0, 200) : `${line.slice(0, 160)} (+${deliveries.length - 1})`;
}

const bodyOf = (deliveries: readonly Delivery[]) =>
  deliveries.map((each) => `${formatTime(each.alert.openedAt)}  ${lineOf(each)}`).join('\n');

function lineOf({ event, alert }: Delivery): string {
  const texts = TEXTS[LOCALE];
  const state = event === 'opened' ? texts.severities[ALERTS[alert.kind].severity] : texts.alertEvents[event];
  const by = event === 'acknowledged' ? ` (${alert.acknowledgedName})` : '';
  return `[${state}${by}] ${alertText(alert, LOCALE)}`;
}

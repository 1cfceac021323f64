import { subjectScreen } from '@sangam/contract/alert-screens.ts';
import { ALERT_SUBJECTS, ALERTS } from '@sangam/contract/alerts.ts';
import type { Locale } from '@sangam/contract/locale.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { type Api, InputFile } from 'grammy';
import { alertName, alertText } from '../inbox/alert-text.ts';
import type { Platform } from '../platform/platform.ts';
import { publicBase } from '../platform/public-base.ts';
import { TEXTS } from '../platform/texts.ts';
import type { Send, WaitingMessage } from './choose.ts';
import { fundRecordOf } from './fund-record.ts';
import type { BotGroup } from './store.ts';
import { botText } from './texts.ts';

/** Telegram accepts 4,096 characters. */
const LONGEST = 4_000;
const MOST_LINES = 20;
const MARKS = { critical: '🔴', warning: '🟠', notice: '🔵' } as const;

/**
 * Whether there is nothing left to send: a reminder of an alert that is over or acknowledged, an edit of a message that was never sent, or
 * an alert that may already have been sent and is over or acknowledged since.
 */
export function isStale({ kind, alert, attempts, editsMessageId, editsEnded }: WaitingMessage): boolean {
  if (!alert) return false;
  if (kind === 'edit') return editsMessageId === null && editsEnded === true;
  const isOver = alert.closedAt !== null || alert.acknowledgedName !== null;
  return isOver && (kind === 'reminder' || attempts > 0);
}

/** Sends the message, or edits the sent one. Answers Telegram's number of the message. */
export async function putOut(platform: Platform, api: Api, { group, rows }: Send): Promise<bigint | null> {
  const chat = Number(group.chatId);
  const [row] = rows;
  if (rows.length > 1) return idOf(await api.sendMessage(chat, summary(rows, group.locale)));
  const { kind, body, alert, editsMessageId } = row!;
  if (kind === 'fundRecord') {
    const { name, text } = await fundRecordOf(platform, group, body!);
    const caption = botText(group.locale, 'fundRecord', { day: body! });
    return idOf(await api.sendDocument(chat, new InputFile(Buffer.from(text), name), { caption }));
  }
  if (!alert) return idOf(await api.sendMessage(chat, body!.slice(0, LONGEST)));
  const text = await alertMessage(platform, alert, group);
  const reply_markup = keyboard(alert, group.locale);
  if (kind !== 'edit') return idOf(await api.sendMessage(chat, text, { reply_markup }));
  if (editsMessageId === null) throw new Error('the message it changes is on its way');
  await api.editMessageText(chat, Number(editsMessageId), text, { reply_markup });
  return null;
}

const idOf = ({ message_id }: { readonly message_id: number }) => BigInt(message_id);

type ToldAlert = NonNullable<WaitingMessage['alert']>;

async function alertMessage(platform: Platform, alert: ToldAlert, group: BotGroup): Promise<string> {
  const { locale } = group;
  const { severity } = ALERTS[alert.kind];
  const lines = [
    `${MARKS[severity]} ${TEXTS[locale].severities[severity]} · ${alertName(alert.kind, locale)}`,
    alertText(alert, locale),
    botText(locale, 'since', { time: formatTime(alert.openedAt) }),
  ];
  const path = pathOf(alert, group);
  // Merchants and payers may reach us at another host, which does not show the console.
  if (path) lines.push(`${platform.config.consoleOrigin ?? (await publicBase(platform))}${path}`);
  if (alert.acknowledgedName !== null)
    lines.push(botText(locale, 'acknowledgedBy', { name: alert.acknowledgedName }));
  if (alert.closedAt !== null) lines.push(botText(locale, 'closed', { time: formatTime(alert.closedAt) }));
  return lines.join('\n').slice(0, LONGEST);
}

/** Where the console shows it. A party does not see the alerts' own screen, and has no screen of most subjects. */
function pathOf({ kind, subject }: ToldAlert, { merchantId, supplierId }: BotGroup): string | undefined {
  if (merchantId === null && supplierId === null) return `/systemManager/alerts?k=${kind}`;
  const screen = subjectScreen(merchantId === null ? 'supplier' : 'merchant', kind);
  if (!screen) return undefined;
  const { opens } = ALERT_SUBJECTS[ALERTS[kind].subject];
  return opens ? `${screen.path}?open=${encodeURIComponent(subject)}` : screen.path;
}

/** The button is there while the alert can still be acknowledged. */
function keyboard({ id, acknowledgedName, closedAt }: ToldAlert, locale: Locale) {
  const isOver = acknowledgedName !== null || closedAt !== null;
  const button = { text: botText(locale, 'acknowledge'), callback_data: `ack:${id}` };
  return { inline_keyboard: isOver ? [] : [[button]] };
}

/** All waiting alerts in one message: how many of each kind, and the first of them. */
function summary(rows: readonly WaitingMessage[], locale: Locale): string {
  const alerts = rows.flatMap(({ alert }) => alert ?? []);
  const counts = [...Map.groupBy(alerts, ({ kind }) => kind)]
    .map(([kind, all]) => `${MARKS[ALERTS[kind].severity]} ${alertName(kind, locale)}: ${all.length}`)
    .join('\n');
  const lines = alerts.slice(0, MOST_LINES).map((alert) => `· ${alertText(alert, locale)}`);
  return [botText(locale, 'summary', { count: alerts.length }), counts, ...lines]
    .join('\n')
    .slice(0, LONGEST);
}

import { formatTime } from '@sangam/contract/time.ts';
import type { TFunction } from 'i18next';
import type { endpoints } from 'virtual:endpoints';
import type { RowOf } from '../http/call-types.ts';

export type LogEntry = RowOf<typeof endpoints.monitor.getMonitorLogList>;

type Named = (group: 'logReasons' | 'logEvidence', key: string) => string;

/** The facts of a log line, as label and value. Facts this build has no texts for are only in the raw text. */
export function logFacts(
  { logPhase, messageId, detail }: Pick<LogEntry, 'logPhase' | 'messageId' | 'detail'>,
  t: TFunction,
  name: Named,
): readonly (readonly [label: string, value: string])[] {
  const facts: [string, string][] = [];
  const add = (key: string, label: string, worded: (value: string) => string = (value) => value) => {
    const value = detail[key];
    if (typeof value === 'string' || typeof value === 'number') facts.push([label, worded(String(value))]);
  };
  add('messages', t('monitorLog.messages'));
  add('scriptVersion', t('monitorLog.script'));
  add('battery', t('monitorLog.battery'), (value) => `${value}%`);
  const { accounts, sequenceHole } = detail;
  if (Array.isArray(accounts) && accounts.length > 0)
    facts.push([t('monitorLog.accounts'), accounts.join(', ')]);
  if (Array.isArray(sequenceHole)) facts.push([t('monitorLog.missing'), spanText(sequenceHole.map(String))]);
  add('sequence', t('monitorLog.repeated'));
  add('last', t('monitorLog.last'));
  add('evidence', t('monitorLog.evidence'), (value) => name('logEvidence', value));
  if (detail['command'] === 'resend') facts.push([t('monitorLog.asked'), t('monitorLog.resend')]);
  if (detail['command'] === 'refreshScript') facts.push([t('monitorLog.asked'), t('monitorLog.refresh')]);
  add('version', t('monitorLog.script'));
  const { from, to } = detail;
  if (typeof from === 'string' && typeof to === 'string')
    facts.push([t('monitorLog.span'), `${clockText(from)} – ${clockText(to)}`]);
  if (detail['command'] === 'resend')
    add('reason', t('monitorLog.why'), (value) => name('logReasons', value));
  if (logPhase === 'failed' && messageId !== null) facts.push([t('monitorLog.unread'), messageId]);
  return facts;
}

/** A single number, or the first and the last of several. */
function spanText([first = '', last = first]: readonly string[]): string {
  return first === last ? first : `${first} – ${last}`;
}

function clockText(iso: string): string {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? iso : formatTime(time);
}

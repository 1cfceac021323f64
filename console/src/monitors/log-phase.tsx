import { useTranslation } from 'react-i18next';
import { Status, type Tone } from '../figures/status.tsx';
import { useNames } from '../language/names.ts';
import type { LogEntry } from './log-facts.ts';

/** The phase of a log line. */
export function LogPhase({ entry }: { readonly entry: LogEntry }) {
  const { t } = useTranslation();
  const name = useNames();
  return (
    <Status
      tone={toneOf(entry)}
      label={entry.isAlarm ? t('monitorLog.alarm') : name('monitorPhases', entry.logPhase)}
    />
  );
}

function toneOf({ logPhase, isAlarm }: LogEntry): Tone {
  if (isAlarm) return 'warning';
  if (logPhase === 'matched') return 'positive';
  return logPhase === 'failed' ? 'negative' : logPhase === 'held' ? 'warning' : 'quiet';
}

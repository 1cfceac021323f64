import { useTranslation } from 'react-i18next';
import { Status } from '../figures/status.tsx';

interface AttemptOutcomeProps {
  readonly status: number | null;
  readonly error: string | null;
  readonly acknowledged: boolean;
  /** The merchant's answer instead of `success`, where it is known. */
  readonly answer?: string | null;
}

/** The result of an attempt: the HTTP status, or why there is none. */
export function AttemptOutcome({ status, error, acknowledged, answer }: AttemptOutcomeProps) {
  const { t } = useTranslation();
  const said = acknowledged || !answer ? '' : ` · ${answer.slice(0, 24)}`;
  const outcome = error ?? (status === null ? t('orders.noAnswer') : `HTTP ${status}${said}`);
  return <Status tone={acknowledged ? 'positive' : 'negative'} label={outcome} />;
}

export const isAcknowledged = (answer: string | null) => answer?.trim().toLowerCase() === 'success';

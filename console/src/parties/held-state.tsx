import { useTranslation } from 'react-i18next';
import { Status } from '../figures/status.tsx';

interface HeldStateProps {
  readonly enabled: boolean;
  readonly frozen: boolean;
  readonly legalHold: boolean;
}

/** Whether a party takes part. Of several reasons against it, only the strongest is shown. */
export function HeldState({ enabled, frozen, legalHold }: HeldStateProps) {
  const { t } = useTranslation();
  if (legalHold) return <Status tone="negative" label={t('holds.held')} />;
  if (frozen) return <Status tone="warning" label={t('holds.frozen')} />;
  return (
    <Status tone={enabled ? 'positive' : 'quiet'} label={t(enabled ? 'people.enabled' : 'people.disabled')} />
  );
}

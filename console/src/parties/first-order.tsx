import { CheckCircleFilled, ClockCircleOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { screenFor } from '@sangam/contract/screens.ts';
import { Section } from '../figures/details.tsx';
import { useCall } from '../http/use-call.ts';
import type { OutputOf } from '../http/call-types.ts';
import { useTabLocation } from '../navigation/tab-location.ts';
import { useViewer } from '../session/viewer.ts';
import styles from './parties.module.css';

type Step = NonNullable<OutputOf<typeof endpoints.merchant.getFirstOrderSteps>['steps']>[number]['step'];

/** The area where the merchant itself takes a step. The other steps are the operator's and the payer's. */
const AREAS: Partial<Record<Step, string>> = { secret: 'profile', order: 'interfaceTest' };
const EVERY_MS = 15_000;

/** A checklist for a new merchant, from its setup to its first paid order. */
export function FirstOrder({ merchantId }: { readonly merchantId: string }) {
  const { t } = useTranslation();
  const { access } = useViewer();
  const { openTab } = useTabLocation();
  const { data } = useCall(endpoints.merchant.getFirstOrderSteps, { id: merchantId }, { everyMs: EVERY_MS });
  if (!data?.steps) return null;
  const isOwn = access === 'merchant';
  return (
    <Section title={t('firstOrder.title')}>
      <ol className={styles['firstOrder']}>
        {data.steps.map(({ step, done }) => {
          const area = isOwn ? AREAS[step] : undefined;
          const path = area && screenFor(access, area)?.path;
          return (
            <li key={step}>
              {done ? (
                <CheckCircleFilled className={styles['isDone']} aria-label={t('firstOrder.done')} />
              ) : (
                <ClockCircleOutlined aria-label={t('firstOrder.open')} />
              )}
              {path && !done ? (
                <a
                  href={path}
                  onClick={(event) => {
                    event.preventDefault();
                    openTab(path);
                  }}
                >
                  {t(`firstOrder.steps.${step}`)}
                </a>
              ) : (
                <span>{t(`firstOrder.steps.${step}`)}</span>
              )}
              {!done && <small>{t(`firstOrder.${isOwn ? 'own' : 'staff'}.${step}`)}</small>}
            </li>
          );
        })}
      </ol>
    </Section>
  );
}

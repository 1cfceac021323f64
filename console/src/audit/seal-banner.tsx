import { Alert, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { Moment } from '../figures/moment.tsx';
import { useCall } from '../http/use-call.ts';

const EVERY_MS = 10_000;

/** Up to which time the sealed audit is intact, or which rows have changed since they were sealed. */
export function SealBanner() {
  const { t } = useTranslation();
  const { data, error } = useCall(
    endpoints.audit.getAuditSeal,
    {},
    { everyMs: EVERY_MS, keepPrevious: true },
  );
  if (error) return <Alert type="warning" showIcon title={error.message} />;
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 1 }} />;
  const block = data.block !== null && data.hash !== null && (
    <span className="figures">
      {t('audit.newestBlock', { block: data.block, hash: data.hash.slice(0, 16) })}
    </span>
  );
  if (data.faultCount > 0)
    return (
      <Alert
        type="error"
        showIcon
        title={t('audit.notIntact', { count: data.faultCount })}
        description={
          <ul>
            {data.faults.map(({ kind, rowId, fault }) => (
              <li key={`${kind}:${rowId}:${fault}`}>
                {`${t(`sealedThings.${kind}`)} ${rowId} ${t(`sealFaults.${fault}`)}`}
              </li>
            ))}
          </ul>
        }
      />
    );
  return (
    <Alert
      role="status"
      type={data.intactTo === null ? 'info' : 'success'}
      showIcon
      title={
        data.intactTo === null ? (
          t('audit.notLookedAt')
        ) : (
          <>
            {t('audit.intactTo')} <Moment time={data.intactTo} exact />
          </>
        )
      }
      description={block}
    />
  );
}

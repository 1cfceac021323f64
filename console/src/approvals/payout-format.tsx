import { Alert, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { Raw, Section } from '../figures/details.tsx';
import { useCall } from '../http/use-call.ts';

interface PayoutFormatProps {
  readonly templateId: string;
  readonly version: number;
}

/**
 * The template by which the bank's files would be made. It is shown whole, because the changes alone do not show everything that
 * matters.
 */
export function PayoutFormat({ templateId, version }: PayoutFormatProps) {
  const { t } = useTranslation();
  const { data, error } = useCall(endpoints.payoutTemplate.getPayoutTemplate, { templateId, version });
  return (
    <Section title={t('batches.format')}>
      {data ? (
        <Raw title={data.name} text={JSON.stringify(data.format, undefined, 2)} />
      ) : error ? (
        <Alert type="warning" showIcon title={error.message} />
      ) : (
        <Skeleton active paragraph={{ rows: 6 }} />
      )}
    </Section>
  );
}

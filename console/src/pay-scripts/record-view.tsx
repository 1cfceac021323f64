import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import { Raw, Section } from '../figures/details.tsx';
import { useNames } from '../language/names.ts';
import type { CallRecord } from './pay-script.ts';
import styles from './pay-scripts.module.css';

/** The result of a call: its answer or error, its fetches, and its log. */
export function RecordView({ record }: { readonly record: CallRecord }) {
  const { t } = useTranslation();
  const name = useNames();
  const { problem } = record;
  return (
    <>
      {problem ? (
        <Alert
          type="error"
          showIcon
          title={name('scriptFailures', problem.kind)}
          description={`${problem.message}${problem.line === null ? '' : ` · ${t('payScripts.line', { line: problem.line })}`}`}
        />
      ) : (
        <Raw title={t('payScripts.output')} text={JSON.stringify(record.output, null, 2)} />
      )}
      <Section title={t('payScripts.fetches')} count={record.fetches.length}>
        {record.fetches.map((fetch, index) => (
          <div key={index} className={styles['record']}>
            <Raw title={`${fetch.method} ${fetch.url}`} text={fetch.body} />
            <Raw
              title={`${fetch.status ?? '–'} · ${t('orders.milliseconds', { count: fetch.durationMs })}`}
              text={fetch.error ?? fetch.answer}
            />
          </div>
        ))}
      </Section>
      {record.logs.length > 0 && <Raw title={t('payScripts.logs')} text={record.logs.join('\n')} />}
    </>
  );
}

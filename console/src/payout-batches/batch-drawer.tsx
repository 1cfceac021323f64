import { Alert, Button, Steps } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { RowDrawer } from '../dialogs/row-drawer.tsx';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { DecisionDialog } from '../dialogs/decision-dialog.tsx';
import { Facts, NothingYet, Section } from '../figures/details.tsx';
import { Money } from '../figures/money.tsx';
import { Moment } from '../figures/moment.tsx';
import { call } from '../http/client.ts';
import { useCall } from '../http/use-call.ts';
import { useNames } from '../language/names.ts';
import { WaitingRequests } from '../operator-table/waiting-requests.tsx';
import { isStaff, useViewer } from '../session/viewer.ts';
import { BatchOrders } from './batch-orders.tsx';
import { BatchStates } from './batch-progress.tsx';
import { BatchStatus } from './batch-status.tsx';
import type { Batch } from './batch.ts';
import { FileButton } from '../dialogs/file-button.tsx';
import { saveFile, sentFile } from '../dialogs/files.ts';
import styles from './payout-batches.module.css';
import { RefusedFile } from '../dialogs/refused-file.tsx';
import { useBatchWork } from './use-batch-work.ts';

const STEPS = ['prepared', 'exported', 'sent', 'result', 'closed'] as const;

function stepOf(batch: Batch, hasResult: boolean): number {
  if (batch.status === 'sent') return hasResult ? 3 : 2;
  return { prepared: 0, exported: 1, closed: 4, cancelled: 0 }[batch.status];
}

/** A payout batch and its steps: export the file, upload the bank's result, confirm rows, deal with exceptions. */
export function BatchDrawer({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const viewer = useViewer();
  const name = useNames();
  const detail = useCall(endpoints.payoutBatch.getPayoutBatchDetail, { batchId: id }, { everyMs: 5_000 });
  const { busy, run, showResults, refresh } = useBatchWork();
  const [refused, setRefused] = useState<Error>();
  const [asking, setAsking] = useState<'cancel' | 'close'>();
  const batch = detail.data?.batch;

  const exportFile = () =>
    run('export', async () => {
      const file = await call(endpoints.payoutBatch.exportPayoutBatch, { batchId: id });
      saveFile(file.fileName, file.content);
    });
  const markSent = () =>
    run('send', async () => void (await call(endpoints.payoutBatch.markPayoutBatchSent, { batchId: id })));
  const upload = (file: File) => {
    setRefused(undefined);
    return run(
      'upload',
      async () => {
        await call(endpoints.payoutBatch.uploadPayoutBatchResult, {
          batchId: id,
          file: await sentFile(file),
        });
      },
      (error) => {
        setRefused(error);
        return true;
      },
    );
  };
  const may = (action: Batch['actions'][number]) => batch?.actions.includes(action) === true;

  return (
    <RowDrawer width={960} onClose={onClose} title={t('batches.title', { number: id })}>
      {batch && detail.data ? (
        <>
          {isStaff(viewer) && <WaitingRequests about={{ subjectKind: 'payoutBatch', subjectId: id }} />}
          <div className={styles['lead']}>
            <BatchStatus status={batch.status} />
            <div className={styles['buttons']} role="group" aria-label={t('list.actions')}>
              {may('cancel') && (
                <Button danger onClick={() => setAsking('cancel')}>
                  {t('batches.cancel')}
                </Button>
              )}
              {may('close') && <Button onClick={() => setAsking('close')}>{t('batches.close')}</Button>}
              {may('export') && (
                <Button
                  {...(batch.status === 'prepared' ? { type: 'primary' as const } : {})}
                  loading={busy === 'export'}
                  onClick={() => void exportFile()}
                >
                  {t(batch.fileName === null ? 'batches.export' : 'batches.exportAgain')}
                </Button>
              )}
              {may('markSent') && (
                <Button type="primary" loading={busy === 'send'} onClick={() => void markSent()}>
                  {t('batches.markSent')}
                </Button>
              )}
              {may('uploadResult') && batch.readsResult && (
                <FileButton
                  label={t('batches.uploadResult')}
                  primary={batch.status === 'sent' && batch.proposed === 0}
                  busy={busy === 'upload'}
                  onFile={(file) => void upload(file)}
                />
              )}
            </div>
          </div>
          {batch.status !== 'cancelled' && (
            <Steps
              className={styles['steps'] ?? ''}
              size="small"
              current={stepOf(batch, detail.data.results.length > 0)}
              items={STEPS.map((step) => ({ title: t(`batches.steps.${step}`) }))}
            />
          )}
          {may('uploadResult') && !batch.readsResult && (
            <Alert type="info" showIcon title={t('batches.noResultFormat')} />
          )}
          {refused && <RefusedFile error={refused} onClose={() => setRefused(undefined)} />}
          <BatchFacts batch={batch} />
          <Section title={t('batches.progress')}>
            <BatchStates batch={batch} />
          </Section>
          <BatchOrders batch={batch} orders={detail.data.orders} work={{ showResults, refresh }} />
          {detail.data.results.length > 0 && (
            <Section title={t('batches.results')} count={detail.data.results.length}>
              <Facts
                facts={detail.data.results.map(({ fileName, time, uploadedBy }) => [
                  fileName,
                  <>
                    <Moment time={time} exact />
                    <div>{name('actors', uploadedBy)}</div>
                  </>,
                ])}
              />
            </Section>
          )}
        </>
      ) : (
        detail.isError && <NothingYet text={detail.error.message} />
      )}
      {asking && batch && (
        <EndDialog how={asking} batch={batch} onDone={refresh} onClose={() => setAsking(undefined)} />
      )}
    </RowDrawer>
  );
}

function BatchFacts({ batch }: { readonly batch: Batch }) {
  const { t } = useTranslation();
  const name = useNames();
  return (
    <div className={styles['facts']}>
      <Facts
        facts={[
          [t('batches.account'), batch.accountName],
          [t('orders.supplier'), batch.supplierName],
          [t('batches.template'), `${batch.templateName} (${batch.templateVersion})`],
          [t('batches.file'), batch.fileName],
          [t('batches.count'), batch.count],
          [t('batches.sum'), <Money minor={batch.sum} currency={batch.currency} strong />],
          [t('batches.payTime'), <Moment time={batch.payTime} exact />],
          [t('batches.createdBy'), name('actors', batch.createdBy)],
          [t('batches.createTime'), <Moment time={batch.createTime} exact />],
          batch.sendTime !== null && [t('batches.sendTime'), <Moment time={batch.sendTime} exact />],
          batch.endTime !== null && [t('batches.endTime'), <Moment time={batch.endTime} exact />],
        ]}
      />
    </div>
  );
}

interface EndDialogProps {
  readonly how: 'cancel' | 'close';
  readonly batch: Batch;
  readonly onDone: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before a batch is cancelled (with a reason) or closed. */
function EndDialog({ how, batch, onDone, onClose }: EndDialogProps) {
  const { t } = useTranslation();
  if (how === 'close') {
    return (
      <DecisionDialog
        title={t('batches.close')}
        consequence={t('batches.closeConsequence')}
        okText={t('batches.close')}
        onConfirm={async () => {
          await call(endpoints.payoutBatch.closePayoutBatch, { batchId: batch.id });
          await onDone();
          return true;
        }}
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title={t('batches.cancel')}
      fields={[{ name: 'reason', kind: 'lines', label: t('fund.reason'), required: true, maxLength: 256 }]}
      consequence={t(batch.fileName === null ? 'batches.cancelConsequence' : 'batches.cancelAfterExport')}
      okText={t('batches.cancel')}
      danger
      onSubmit={async ({ reason }) => {
        await call(endpoints.payoutBatch.cancelPayoutBatch, { batchId: batch.id, reason: String(reason) });
        await onDone();
      }}
      onClose={onClose}
    />
  );
}

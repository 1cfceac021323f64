import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { BATCH_STATUSES } from '@sangam/contract/payout-batches.ts';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import { useNames } from '../language/names.ts';
import type { InputOf } from '../http/call-types.ts';
import type { ListDefinition } from '../operator-table/list-definition.ts';
import { LINK_PARAMS } from '../operator-table/list-links.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import { useMayCall } from '../session/may-call.ts';
import { isStaff, useViewer } from '../session/viewer.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import { BatchDrawer } from './batch-drawer.tsx';
import { BatchProgress } from './batch-progress.tsx';
import { BatchStatus } from './batch-status.tsx';
import type { Batch } from './batch.ts';
import { NewBatchDrawer } from './new-batch-drawer.tsx';
import { TemplatesDrawer } from './templates-drawer.tsx';

type ListCall = typeof endpoints.payoutBatch.getPayoutBatchList;

/** Batch payouts: the batches, the wizard that makes one, and the templates of the bank's files. */
export function BatchesScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const name = useNames();
  const mayCall = useMayCall();
  const viewer = useViewer();
  const [shown, setShown] = useState<'new' | 'templates' | { readonly created: string }>();

  const definition: ListDefinition<Batch, InputOf<ListCall>> = {
    name: 'payoutBatches',
    title: title(screen),
    call: endpoints.payoutBatch.getPayoutBatchList,
    keyOf: (batch) => batch.id,
    emptyText: t('batches.empty'),
    waiting: isStaff(viewer) ? { about: { subjectKind: 'payoutBatch' } } : undefined,
    tools: (
      <>
        {mayCall(endpoints.payoutTemplate.getPayoutTemplateList) && (
          <Button onClick={() => setShown('templates')}>{t('batches.templates')}</Button>
        )}
        {mayCall(endpoints.payoutBatch.createPayoutBatch) && (
          <Button type="primary" onClick={() => setShown('new')}>
            {t('batches.new')}
          </Button>
        )}
      </>
    ),
    drawer: (id, close) => <BatchDrawer key={id} id={id} onClose={close} />,
    filters: [
      {
        name: 'status',
        param: 's',
        kind: 'choice',
        label: t('batches.status'),
        pinned: true,
        values: BATCH_STATUSES,
        options: BATCH_STATUSES.map((status) => ({ value: status, label: name('batchStatus', status) })),
      },
      {
        name: 'batchId',
        param: LINK_PARAMS.batchPayout.batchId,
        kind: 'text',
        label: t('batches.number'),
        pinned: true,
      },
      { name: 'orderCode', param: 'o', kind: 'text', label: t('orders.orderCode'), pinned: true },
    ],
    columns: [
      { key: 'batchId', title: t('batches.number'), names: true, render: (batch) => batch.batchId },
      { key: 'status', title: t('batches.status'), render: (batch) => <BatchStatus status={batch.status} /> },
      { key: 'accountName', title: t('batches.account'), render: (batch) => batch.accountName },
      ...(isStaff(viewer)
        ? [{ key: 'supplierName', title: t('orders.supplier'), render: (batch: Batch) => batch.supplierName }]
        : []),
      { key: 'templateName', title: t('batches.template'), render: (batch) => batch.templateName },
      { key: 'count', title: t('batches.count'), align: 'right', render: (batch) => batch.count },
      {
        key: 'sum',
        title: t('batches.sum'),
        align: 'right',
        render: (batch) => <Money minor={batch.sum} currency={batch.currency} strong />,
      },
      {
        key: 'states',
        title: t('batches.progress'),
        width: 170,
        render: (batch) => <BatchProgress batch={batch} />,
      },
      {
        key: 'createdBy',
        words: 'actors',
        title: t('batches.createdBy'),
        render: (batch) => name('actors', batch.createdBy),
      },
      { key: 'payTime', title: t('batches.payTime'), render: (batch) => <Moment time={batch.payTime} /> },
      {
        key: 'createTime',
        title: t('batches.createTime'),
        render: (batch) => <Moment time={batch.createTime} />,
      },
      { key: 'fileName', title: t('batches.file'), optional: true, render: (batch) => batch.fileName ?? '–' },
    ],
  };
  const close = () => setShown(undefined);
  return (
    <>
      <ListScreen definition={definition} />
      {shown === 'new' && <NewBatchDrawer onCreated={(created) => setShown({ created })} onClose={close} />}
      {shown === 'templates' && <TemplatesDrawer onClose={close} />}
      {typeof shown === 'object' && <BatchDrawer id={shown.created} onClose={close} />}
    </>
  );
}

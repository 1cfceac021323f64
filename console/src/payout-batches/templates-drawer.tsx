import { useQueryClient } from '@tanstack/react-query';
import { App, Button, Drawer, Switch, Table } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CODES } from '@sangam/contract/codes.ts';
import { endpoints } from 'virtual:endpoints';
import { Moment } from '../figures/moment.tsx';
import { call } from '../http/client.ts';
import { CallError, isHandled } from '../http/call-error.ts';
import { callKey } from '../http/call-key.ts';
import { useCall } from '../http/use-call.ts';
import { useIsNarrow } from '../appearance/use-media.ts';
import styles from './payout-batches.module.css';
import { TemplateEditor } from './template-editor.tsx';
import { WaitingRequests } from '../operator-table/waiting-requests.tsx';

/** The templates of bulk payout files. A superAdmin switches them on and off, changes them and makes new ones. */
export function TemplatesDrawer({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const narrow = useIsNarrow();
  const { message } = App.useApp();
  const queries = useQueryClient();
  const list = useCall(endpoints.payoutTemplate.getPayoutTemplateList, {});
  const [edited, setEdited] = useState<{ readonly id: string; readonly copy: boolean }>();

  const refresh = () =>
    Promise.all(
      [
        callKey(endpoints.payoutTemplate.getPayoutTemplateList),
        callKey(endpoints.payoutTemplate.getPayoutTemplate),
        callKey(endpoints.payoutBatch.getPayoutBatchOptions),
      ].map((queryKey) => queries.invalidateQueries({ queryKey })),
    );
  const enable = async (templateId: string, on: boolean) => {
    try {
      await call(endpoints.payoutTemplate.enablePayoutTemplate, { templateId, enable: on });
      await refresh();
    } catch (error) {
      if (error instanceof CallError && error.code === CODES.approvalNeeded.code) {
        message.info(error.message);
        await queries.invalidateQueries({ queryKey: callKey(endpoints.todo.getStarted) });
      } else if (!isHandled(error)) message.error(error instanceof Error ? error.message : String(error));
    }
  };

  return (
    <Drawer open size={narrow ? '100%' : 880} title={t('batches.templates')} onClose={onClose}>
      <WaitingRequests about={{ kind: 'payoutTemplate' }} />
      {edited ? (
        <TemplateEditor
          key={`${edited.id}${edited.copy}`}
          id={edited.id}
          copy={edited.copy}
          onSaved={() => {
            setEdited(undefined);
            void refresh();
          }}
          onBack={() => setEdited(undefined)}
        />
      ) : (
        <Table
          size="small"
          rowKey="id"
          loading={list.isLoading}
          dataSource={list.data?.list ?? []}
          pagination={false}
          scroll={{ x: 'max-content' }}
          columns={[
            { key: 'name', title: t('batches.template'), render: (_, row) => row.name },
            { key: 'bank', title: t('batches.bank'), render: (_, row) => row.bank || '–' },
            { key: 'version', title: t('batches.version'), align: 'right', render: (_, row) => row.version },
            {
              key: 'result',
              title: t('batches.readsResult'),
              render: (_, row) => t(row.readsResult ? 'batches.yes' : 'batches.no'),
            },
            {
              key: 'time',
              title: t('batches.updateTime'),
              render: (_, row) => <Moment time={row.updateTime} />,
            },
            {
              key: 'enabled',
              title: t('batches.enabled'),
              render: (_, row) => (
                <Switch
                  size="small"
                  checked={row.enabled}
                  aria-label={`${t('batches.enabled')} ${row.name}`}
                  onChange={(on) => void enable(row.id, on)}
                />
              ),
            },
            {
              key: 'actions',
              title: t('list.actions'),
              render: (_, row) => (
                <span className={styles['buttons']}>
                  <Button size="small" onClick={() => setEdited({ id: row.id, copy: false })}>
                    {t('batches.edit')}
                  </Button>
                  <Button size="small" onClick={() => setEdited({ id: row.id, copy: true })}>
                    {t('batches.copy')}
                  </Button>
                </span>
              ),
            },
          ]}
        />
      )}
    </Drawer>
  );
}

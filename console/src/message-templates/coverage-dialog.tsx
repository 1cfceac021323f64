import { Button, Modal, Table } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { useCall } from '../http/use-call.ts';

interface CoverageDialogProps {
  readonly onDraft: (messageId: string) => void;
  readonly onClose: () => void;
}

/** How many of each bank's messages of 30 days were parsed, the worst bank first. */
export function CoverageDialog({ onDraft, onClose }: CoverageDialogProps) {
  const { t } = useTranslation();
  const coverage = useCall(endpoints.messageTemplate.getMessageCoverage, {});
  return (
    <Modal open title={t('templates.coverage')} width={860} footer={null} onCancel={onClose}>
      <Table
        size="small"
        rowKey={(row) => row.bank ?? ''}
        loading={coverage.isLoading}
        dataSource={coverage.data?.list ?? []}
        pagination={{ pageSize: 12, hideOnSinglePage: true }}
        locale={{ emptyText: coverage.error?.message ?? t('messages.empty') }}
        columns={[
          {
            key: 'bank',
            title: t('accounts.bank'),
            render: (_, row) => row.bank ?? t('templates.unknownBank'),
          },
          {
            key: 'senders',
            title: t('messages.sender'),
            render: (_, row) => row.senders.slice(0, 6).join(', '),
          },
          { key: 'parsed', title: t('templates.parsed'), align: 'right', render: (_, row) => row.parsed },
          {
            key: 'unparsed',
            title: t('templates.unparsed'),
            align: 'right',
            render: (_, row) => row.unparsed,
          },
          { key: 'ignored', title: t('templates.ignored'), align: 'right', render: (_, row) => row.ignored },
          {
            key: 'draft',
            title: '',
            render: (_, { lastUnparsedId }) =>
              lastUnparsedId && (
                <Button size="small" onClick={() => onDraft(lastUnparsedId)}>
                  {t('templates.fromMessage')}
                </Button>
              ),
          },
        ]}
      />
    </Modal>
  );
}

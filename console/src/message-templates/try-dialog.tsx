import { Alert, Button, Input, Modal, Table } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { Money } from '../figures/money.tsx';
import { call } from '../http/client.ts';
import { useNames } from '../language/names.ts';
import { pastedMessages } from './template-text.ts';

type Answer = NonNullable<(typeof endpoints.messageTemplate.tryMessageTemplate)['types']>['output'];

/** Shows what the templates in force parse from pasted messages. Nothing is stored. */
export function TryDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const name = useNames();
  const [pasted, setPasted] = useState('');
  const [answer, setAnswer] = useState<{
    readonly texts: readonly string[];
    readonly results: Answer['results'];
  }>();
  const [failure, setFailure] = useState<string>();
  const messages = pastedMessages(pasted).slice(0, 50);
  const attempt = async () => {
    setFailure(undefined);
    try {
      const { results } = await call(endpoints.messageTemplate.tryMessageTemplate, { messages });
      setAnswer({ texts: messages.map(({ text }) => text), results });
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
  };
  const rows =
    answer?.results.map((result, index) => ({ ...result, key: index, text: answer.texts[index] })) ?? [];
  return (
    <Modal open title={t('templates.try')} width={960} footer={null} onCancel={onClose}>
      <p>{t('templates.tryHint')}</p>
      <Input.TextArea
        aria-label={t('templates.pasted')}
        rows={6}
        value={pasted}
        onChange={(event) => setPasted(event.target.value)}
      />
      <Button
        type="primary"
        disabled={messages.length === 0}
        onClick={() => void attempt()}
        style={{ margin: '8px 0' }}
      >
        {t('templates.tryNow')}
      </Button>
      {failure && <Alert type="error" showIcon title={failure} />}
      {answer && (
        <Table
          size="small"
          pagination={false}
          scroll={{ x: 'max-content', y: 320 }}
          dataSource={rows}
          columns={[
            {
              key: 'outcome',
              title: t('templates.outcome'),
              render: (_, row) => name('messageOutcomes', row.isProposal ? 'proposal' : row.outcome),
            },
            {
              key: 'amount',
              title: t('approvalFields.amount'),
              align: 'right',
              render: (_, row) =>
                row.amount !== null && row.currency ? (
                  <Money
                    minor={row.direction === 'debit' ? -row.amount : row.amount}
                    currency={row.currency}
                    directed
                  />
                ) : (
                  '–'
                ),
            },
            { key: 'account', title: t('accounts.account'), render: (_, row) => row.accountTail ?? '–' },
            {
              key: 'balance',
              title: t('messages.balance'),
              align: 'right',
              render: (_, row) =>
                row.currency ? <Money minor={row.balance} currency={row.currency} /> : '–',
            },
            { key: 'ref', title: 'UTR', render: (_, row) => row.ref ?? '–' },
            { key: 'template', title: t('templates.id'), render: (_, row) => row.templateId ?? '–' },
            {
              key: 'text',
              title: t('messages.text'),
              width: 280,
              ellipsis: true,
              render: (_, row) => row.text,
            },
          ]}
        />
      )}
    </Modal>
  );
}

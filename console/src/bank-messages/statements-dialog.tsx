import { Button, Modal, Select, Table } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { Copyable } from '../figures/copyable.tsx';
import { Money } from '../figures/money.tsx';
import { Status, type Tone } from '../figures/status.tsx';
import { isHandled } from '../http/call-error.ts';
import { useCall } from '../http/use-call.ts';
import { useSend } from '../http/use-send.ts';
import { useNames } from '../language/names.ts';
import { FileButton } from '../dialogs/file-button.tsx';
import { sentFile } from '../dialogs/files.ts';
import { RefusedFile } from '../dialogs/refused-file.tsx';

/** The server's names (contract, endpoints/bank-statement.ts). */
const OUTCOMES = ['agrees', 'amountDiffers', 'missingHere', 'missingAtBank'] as const;
type Outcome = (typeof OUTCOMES)[number];
const TONES: Readonly<Record<Outcome, Tone>> = {
  agrees: 'positive',
  amountDiffers: 'negative',
  missingHere: 'warning',
  missingAtBank: 'negative',
};

interface StatementsDialogProps {
  /** The account of a new statement. Without one, the dialog only shows statements that were imported before. */
  readonly resourceId: string | undefined;
  readonly onClose: () => void;
}

/** Compares bank statements with the messages that monitors sent. */
export function StatementsDialog({ resourceId, onClose }: StatementsDialogProps) {
  const { t } = useTranslation();
  const name = useNames();
  const calls = endpoints.bankStatement;
  const send = useSend(calls.getBankStatementImportList);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<Error>();
  const [opened, setOpened] = useState<string>();
  const [outcome, setOutcome] = useState<Outcome>();
  const imports = useCall(calls.getBankStatementImportList, { resourceId, pageSize: 50 });

  const upload = async (file: File) => {
    setRefused(undefined);
    setBusy(true);
    try {
      const input = { resourceId: resourceId ?? '', file: await sentFile(file) };
      setOpened((await send(calls.importBankStatement, input, t('people.saved'))).importId);
      setOutcome(undefined);
    } catch (error) {
      if (!isHandled(error)) setRefused(error instanceof Error ? error : new Error(String(error)));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Modal open title={t('statements.title')} width={1080} footer={null} onCancel={onClose}>
      <p>{t(resourceId ? 'statements.hint' : 'statements.chooseAccount')}</p>
      {resourceId && (
        <FileButton label={t('statements.import')} primary busy={busy} onFile={(file) => void upload(file)} />
      )}
      {refused && <RefusedFile error={refused} onClose={() => setRefused(undefined)} />}
      <Table
        size="small"
        rowKey="id"
        scroll={{ x: 'max-content' }}
        style={{ marginTop: 12 }}
        loading={imports.isLoading}
        dataSource={[...(imports.data?.list ?? [])]}
        pagination={{ pageSize: 5, hideOnSinglePage: true }}
        locale={{ emptyText: imports.error?.message ?? t('statements.none') }}
        columns={[
          {
            key: 'file',
            title: t('statements.file'),
            render: (_, { id, fileName }) => (
              <Button type="link" size="small" onClick={() => setOpened(id)}>
                {fileName}
              </Button>
            ),
          },
          { key: 'account', title: t('accounts.account'), render: (_, { accountName }) => accountName },
          {
            key: 'days',
            title: t('statements.days'),
            render: (_, { fromDay, toDay }) => `${fromDay} – ${toDay}`,
          },
          ...OUTCOMES.map((each) => ({
            key: each,
            title: name('statementOutcomes', each),
            align: 'right' as const,
            render: (_: unknown, row: Readonly<Record<Outcome, number>>) => row[each],
          })),
        ]}
      />
      {opened !== undefined && <StatementLines importId={opened} outcome={outcome} onOutcome={setOutcome} />}
    </Modal>
  );
}

interface StatementLinesProps {
  readonly importId: string;
  readonly outcome: Outcome | undefined;
  readonly onOutcome: (outcome: Outcome | undefined) => void;
}

/** The rows of one statement, each with the result of its comparison. */
function StatementLines({ importId, outcome, onOutcome }: StatementLinesProps) {
  const { t } = useTranslation();
  const name = useNames();
  const lines = useCall(endpoints.bankStatement.getBankStatementImportLines, { importId, outcome });
  const currency = lines.data?.currency ?? 'INR';
  return (
    <>
      <Select
        aria-label={t('templates.outcome')}
        allowClear
        placeholder={t('templates.outcome')}
        style={{ width: 200, margin: '8px 0' }}
        value={outcome ?? null}
        onChange={(value) => onOutcome(value ?? undefined)}
        options={OUTCOMES.map((value) => ({ value, label: name('statementOutcomes', value) }))}
      />
      <Table
        size="small"
        rowKey={({ row, messageId, reference }) => `${row}-${messageId}-${reference}`}
        loading={lines.isLoading}
        dataSource={[...(lines.data?.list ?? [])]}
        pagination={{ pageSize: 20, hideOnSinglePage: true }}
        scroll={{ x: 'max-content' }}
        {...(lines.error ? { locale: { emptyText: lines.error.message } } : {})}
        columns={[
          { key: 'row', title: '#', align: 'right', render: (_, { row }) => row ?? '–' },
          { key: 'day', title: t('statements.day'), render: (_, { day }) => day },
          {
            key: 'outcome',
            title: t('templates.outcome'),
            render: (_, line) => (
              <Status tone={TONES[line.outcome]} label={name('statementOutcomes', line.outcome)} />
            ),
          },
          {
            key: 'amount',
            title: t('approvalFields.amount'),
            align: 'right',
            render: (_, line) => (
              <Money
                minor={line.direction === 'debit' ? -line.amount : line.amount}
                currency={currency}
                directed
              />
            ),
          },
          {
            key: 'balance',
            title: t('messages.balance'),
            align: 'right',
            render: (_, line) => <Money minor={line.balance} currency={currency} />,
          },
          {
            key: 'reference',
            title: 'UTR',
            render: (_, { reference }) => <Copyable text={reference} limit={16} />,
          },
          {
            key: 'order',
            title: t('orders.orderCode'),
            render: (_, { orderCode }) => <Copyable text={orderCode} limit={20} />,
          },
          {
            key: 'narration',
            title: t('statements.narration'),
            width: 320,
            ellipsis: true,
            render: (_, line) => line.narration,
          },
        ]}
      />
    </>
  );
}

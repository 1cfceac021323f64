import { Alert, App, Button, Space } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { Moment } from '../figures/moment.tsx';
import { Status } from '../figures/status.tsx';
import { call } from '../http/client.ts';
import { useCall } from '../http/use-call.ts';
import { useNames } from '../language/names.ts';
import type { InputOf, RowOf } from '../http/call-types.ts';
import type { ListColumn, ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import type { PageProps } from '../navigation/page-props.ts';
import { useTabParam } from '../navigation/tab-location.ts';
import { useTitles } from '../navigation/use-titles.ts';
import { CoverageDialog } from './coverage-dialog.tsx';
import { TemplateDialog } from './template-dialog.tsx';
import type { Template } from './template-text.ts';
import { TryDialog } from './try-dialog.tsx';

type TemplateCall = typeof endpoints.messageTemplate.getMessageTemplateList;
type Row = RowOf<TemplateCall> & { readonly id: string };

const RULES = ['credit', 'debit', 'ignore', 'otp'] as const;
const ORIGINS = ['shipped', 'changed', 'own'] as const;

type Opened = 'try' | 'coverage' | { readonly template: Template | undefined; readonly version: number };

function useColumns(): readonly ListColumn<Row>[] {
  const { t } = useTranslation();
  const name = useNames();
  return [
    { key: 'id', title: t('templates.id'), names: true, render: (row) => row.id },
    {
      key: 'bank',
      title: t('accounts.bank'),
      render: (row) => (row.bank === '*' ? t('templates.allBanks') : row.bank),
    },
    {
      key: 'rule',
      title: t('templates.rule'),
      render: (row) => (
        <Status
          tone={row.rule === 'credit' ? 'positive' : row.rule === 'debit' ? 'pending' : 'quiet'}
          label={
            name('messageRules', row.rule) + (row.reason ? ` · ${name('ignoreReasons', row.reason)}` : '')
          }
        />
      ),
    },
    { key: 'kind', title: t('templates.kind'), render: (row) => name('messageKinds', row.kind) },
    { key: 'priority', title: t('templates.priority'), align: 'right', render: (row) => row.priority },
    {
      key: 'senders',
      title: t('templates.senders'),
      align: 'right',
      render: (row) => (row.anySender ? t('templates.anySender') : row.senders),
    },
    { key: 'samples', title: t('templates.samples'), align: 'right', render: (row) => row.samples },
    {
      key: 'enabled',
      title: t('people.state'),
      render: (row) => (
        <Status
          tone={row.enabled ? 'positive' : 'quiet'}
          label={t(row.enabled ? 'people.enabled' : 'people.disabled')}
        />
      ),
    },
    {
      key: 'origin',
      title: t('templates.origin'),
      render: (row) => name('templateOrigins', row.origin) + (row.version > 0 ? ` · v${row.version}` : ''),
    },
    { key: 'updateTime', title: t('templates.updated'), render: (row) => <Moment time={row.updateTime} /> },
    {
      key: 'updatedBy',
      title: t('templates.updatedBy'),
      optional: true,
      render: (row) => row.updatedBy ?? '–',
    },
  ];
}

const templateName = ({ template }: Readonly<Record<string, unknown>>) =>
  (template as Template | undefined)?.id;

/** Templates that parse bank messages: the shipped ones, the operator's changes to them, and the operator's own. */
export function TemplatesScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const name = useNames();
  const { message } = App.useApp();
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);

  const showError = (error: unknown) =>
    void message.error(error instanceof Error ? error.message : String(error));
  const edit = (id: string) => {
    call(endpoints.messageTemplate.getMessageTemplate, { id })
      .then(({ template, version }) => setOpened({ template, version }))
      .catch(showError);
  };
  // The address names the message to make a template from. The message's drawer and the coverage dialog link here with it.
  const [from, setFrom] = useTabParam('message');
  const drafted = useCall(
    endpoints.messageTemplate.draftMessageTemplate,
    { messageId: from ?? '0' },
    { enabled: from !== undefined },
  );
  const draft = (messageId: string | undefined) => {
    setOpened(undefined);
    setFrom(messageId);
  };

  const definition: ListDefinition<Row, InputOf<TemplateCall>> = {
    name: 'messageTemplates',
    title: title(screen),
    call: endpoints.messageTemplate.getMessageTemplateList,
    keyOf: (row) => row.id,
    emptyText: t('templates.none'),
    waiting: { about: { kind: 'messageReading' }, nameOf: templateName },
    tools: (
      <Space wrap size={4}>
        <Button onClick={() => setOpened('try')}>{t('templates.try')}</Button>
        <Button onClick={() => setOpened('coverage')}>{t('templates.coverage')}</Button>
        <Button onClick={() => setOpened({ template: undefined, version: 0 })}>{t('templates.add')}</Button>
      </Space>
    ),
    filters: [
      { name: 'name', param: 'q', kind: 'text', label: t('templates.nameOrBank'), pinned: true },
      {
        name: 'rule',
        param: 'r',
        kind: 'choice',
        label: t('templates.rule'),
        pinned: true,
        values: RULES,
        options: RULES.map((rule) => ({ value: rule, label: name('messageRules', rule) })),
      },
      {
        name: 'origin',
        param: 'o',
        kind: 'choice',
        label: t('templates.origin'),
        pinned: true,
        values: ORIGINS,
        options: ORIGINS.map((origin) => ({ value: origin, label: name('templateOrigins', origin) })),
      },
    ],
    columns: useColumns(),
    actionsOf: (row) => [{ key: 'edit', label: t('people.edit'), run: () => edit(row.id) }],
  };
  return (
    <>
      <ListScreen definition={definition} />
      {opened === 'try' && <TryDialog onClose={close} />}
      {opened === 'coverage' && <CoverageDialog onDraft={draft} onClose={close} />}
      {typeof opened === 'object' && <TemplateDialog {...opened} onClose={close} />}
      {from !== undefined && drafted.data && (
        <TemplateDialog template={drafted.data.template} version={0} onClose={() => draft(undefined)} />
      )}
      {from !== undefined && drafted.error && (
        <Alert
          type="error"
          showIcon
          closable={{ onClose: () => draft(undefined) }}
          title={drafted.error.message}
        />
      )}
    </>
  );
}

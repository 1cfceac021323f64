import { Button, Modal, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { IP_DOORS, IP_EFFECTS, type IpDoor } from '@sangam/contract/ip-rules.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { Moment } from '../figures/moment.tsx';
import { Status } from '../figures/status.tsx';
import type { InputOf } from '../http/call-types.ts';
import { useSend } from '../http/use-send.ts';
import { useNames } from '../language/names.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import type { ListColumn, ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import { useMayCall } from '../session/may-call.ts';
import { RuleDialog, type Rule } from './rule-dialog.tsx';
import { useSubjectText } from './subject.ts';
import { TryBox } from './try-box.tsx';

type Asked = { readonly what: 'add' | 'try' } | { readonly what: 'change' | 'remove'; readonly rule: Rule };

function useColumns(): readonly ListColumn<Rule>[] {
  const { t } = useTranslation();
  const name = useNames();
  const subjectText = useSubjectText();
  return [
    { key: 'network', title: t('ipRules.network'), names: true, render: ({ network }) => network },
    {
      key: 'effect',
      words: 'ipEffects',
      title: t('ipRules.effect'),
      render: ({ effect }) => (
        <Status tone={effect === 'allow' ? 'positive' : 'negative'} label={name('ipEffects', effect)} />
      ),
    },
    { key: 'door', words: 'ipDoors', title: t('ipRules.door'), render: ({ door }) => name('ipDoors', door) },
    {
      key: 'subject',
      title: t('ipRules.subject'),
      parts: [
        { field: 'subject', title: t('ipRules.subject') },
        { field: 'subjectName', title: t('people.name') },
      ],
      render: (rule) => subjectText(rule.subject, rule.subjectName),
    },
    {
      key: 'expiresTime',
      title: t('ipRules.expires'),
      render: ({ expiresTime, state }) =>
        state === 'expired' ? (
          <Status tone="quiet" label={t('ipRules.state.expired')} />
        ) : expiresTime === null ? (
          t('ipRules.never')
        ) : (
          <Moment time={expiresTime} />
        ),
    },
    { key: 'hits', title: t('ipRules.hits'), align: 'right', render: ({ hits }) => hits },
    {
      key: 'lastHitTime',
      title: t('ipRules.lastHit'),
      render: ({ lastHitTime }) => (lastHitTime === null ? '–' : <Moment time={lastHitTime} />),
    },
    { key: 'note', title: t('ipRules.note'), width: 180, render: ({ note }) => note || '–' },
    { key: 'changedBy', title: t('ipRules.changedBy'), render: ({ changedBy }) => changedBy ?? '–' },
    {
      key: 'changeTime',
      title: t('ipRules.changeTime'),
      render: (rule) => <Moment time={rule.changeTime} />,
    },
  ];
}

/** Rules about client networks, for the console, the APIs and the payment page. */
export function IpRulesScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const name = useNames();
  const mayChange = useMayCall()(endpoints.ipRule.saveIpRule);
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const definition: ListDefinition<Rule, InputOf<typeof endpoints.ipRule.getIpRules>> = {
    name: 'ipRules',
    title: title(screen),
    call: endpoints.ipRule.getIpRules,
    keyOf: (rule) => rule.id,
    emptyText: t('ipRules.none'),
    waiting: { about: { kind: 'ipRuleChange' } },
    tools: (
      <>
        <Button onClick={() => setAsked({ what: 'try' })}>{t('ipRules.try.button')}</Button>
        {mayChange && (
          <Button type="primary" onClick={() => setAsked({ what: 'add' })}>
            {t('ipRules.add')}
          </Button>
        )}
      </>
    ),
    filters: [
      { name: 'network', param: 'q', kind: 'text', label: t('ipRules.addressFilter'), pinned: true },
      {
        name: 'door',
        param: 'd',
        kind: 'choice',
        label: t('ipRules.door'),
        pinned: true,
        values: IP_DOORS,
        options: IP_DOORS.map((door) => ({ value: door, label: name('ipDoors', door) })),
      },
      {
        name: 'effect',
        param: 'e',
        kind: 'choice',
        label: t('ipRules.effect'),
        values: IP_EFFECTS,
        options: IP_EFFECTS.map((effect) => ({ value: effect, label: name('ipEffects', effect) })),
      },
      {
        name: 'state',
        param: 's',
        kind: 'choice',
        label: t('ipRules.state.label'),
        values: ['active', 'expired'],
        options: (['active', 'expired'] as const).map((state) => ({
          value: state,
          label: t(`ipRules.state.${state}`),
        })),
      },
      { name: 'note', param: 'nt', kind: 'text', label: t('ipRules.note') },
    ],
    columns: useColumns(),
    actionsOf: (rule) =>
      mayChange
        ? (['change', 'remove'] as const).map((what) => ({
            key: what,
            label: t(`ipRules.${what}`),
            run: () => setAsked({ what, rule }),
          }))
        : [],
  };
  return (
    <>
      <ListScreen definition={definition} />
      {asked?.what === 'add' && <RuleDialog onClose={close} />}
      {asked?.what === 'change' && <RuleDialog rule={asked.rule} onClose={close} />}
      {asked?.what === 'remove' && <RemoveDialog rule={asked.rule} onClose={close} />}
      {asked?.what === 'try' && <TryDialog onClose={close} />}
    </>
  );
}

function RemoveDialog({ rule, onClose }: { readonly rule: Rule; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const name = useNames();
  const send = useSend(endpoints.ipRule.getIpRules);
  return (
    <FormDialog
      title={`${t('ipRules.remove')} · ${rule.network}`}
      facts={[
        [t('ipRules.door'), name('ipDoors', rule.door)],
        [t('ipRules.effect'), name('ipEffects', rule.effect)],
      ]}
      fields={[{ name: 'reason', label: t('fund.reason'), kind: 'text', maxLength: 256, required: true }]}
      consequence={t('ipRules.consequence')}
      okText={t('ipRules.remove')}
      danger
      onSubmit={async ({ reason }) => {
        const input = { id: rule.id, reason: reason as string };
        await send(endpoints.ipRule.removeIpRule, input, t('people.saved'));
      }}
      onClose={onClose}
    />
  );
}

function TryDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const name = useNames();
  const [door, setDoor] = useState<IpDoor>('console');
  return (
    <Modal open title={t('ipRules.try.button')} footer={null} onCancel={onClose}>
      <Select
        aria-label={t('ipRules.door')}
        value={door}
        style={{ width: '100%' }}
        options={IP_DOORS.map((each) => ({ value: each, label: name('ipDoors', each) }))}
        onChange={setDoor}
      />
      <TryBox door={door} />
    </Modal>
  );
}

import { ROLES } from '@sangam/contract/roles.ts';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { entryValue } from '../figures/entry-values.ts';
import { Moment } from '../figures/moment.tsx';
import { useNamedKeys, useNames } from '../language/names.ts';
import { fieldName, subjectText } from '../language/record-words.ts';
import type { InputOf, RowOf } from '../http/call-types.ts';
import type { ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import { AuditDrawer } from './audit-drawer.tsx';
import { changesOf } from './changes.ts';
import { SealBanner } from './seal-banner.tsx';

type AuditCall = typeof endpoints.audit.getAuditList;

const MOST_SHOWN = 80;

/** The first changed field as one line; the drawer shows all of them. */
function ChangedFields({ entry }: { readonly entry: RowOf<AuditCall> }) {
  const { t } = useTranslation();
  const name = useNames();
  const [first, ...others] = changesOf(entry);
  if (!first) return '–';
  const value = (side: unknown) => entryValue(name, entry, first.field, side);
  const line = `${fieldName(name, first.field)}: ${value(first.before)} → ${value(first.after)}`;
  const more = others.length > 0 ? ` ${t('audit.more', { count: others.length })}` : '';
  return `${line.length > MOST_SHOWN ? `${line.slice(0, MOST_SHOWN)}…` : line}${more}`;
}

/** Who changed what. The drawer shows the values before and after side by side. */
export function AuditScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const name = useNames();
  const actions = useNamedKeys('auditActions');
  const definition: ListDefinition<RowOf<AuditCall>, InputOf<AuditCall>> = {
    name: 'audit',
    title: title(screen),
    call: endpoints.audit.getAuditList,
    keyOf: (entry) => entry.id,
    emptyText: t('audit.none'),
    Panel: SealBanner,
    drawer: (id, close) => <AuditDrawer key={id} id={id} onClose={close} />,
    filters: [
      { name: 'account', param: 'a', kind: 'text', label: t('people.account'), pinned: true },
      {
        name: 'action',
        param: 'do',
        kind: 'choice',
        label: t('audit.action'),
        options: actions,
        pinned: true,
      },
      { name: 'subject', param: 's', kind: 'text', label: t('audit.subject'), pinned: true },
      {
        name: 'role',
        param: 'role',
        kind: 'choice',
        label: t('profile.role'),
        options: ROLES.map((role) => ({ value: role, label: name('roles', role) })),
      },
      { name: 'reason', param: 'why', kind: 'text', label: t('fund.reason') },
      { name: 'ip', param: 'ip', kind: 'text', label: 'IP' },
      { name: 'device', param: 'dev', kind: 'text', label: t('audit.device') },
      { name: 'sessionId', param: 'ses', kind: 'text', label: t('audit.session') },
      { name: 'approvalId', param: 'apv', kind: 'text', label: t('audit.approval') },
      { name: 'period', param: 't', kind: 'period', label: t('list.span'), pinned: true },
    ],
    columns: [
      { key: 'time', title: t('audit.time'), names: true, render: (entry) => <Moment time={entry.time} /> },
      {
        key: 'account',
        title: t('people.account'),
        render: ({ account, role }) =>
          account === null ? t('audit.system') : `${account} · ${role === null ? '–' : name('roles', role)}`,
      },
      {
        key: 'action',
        words: 'auditActions',
        title: t('audit.action'),
        render: ({ action }) => name('auditActions', action),
      },
      { key: 'subject', title: t('audit.subject'), render: (entry) => subjectText(name, entry.subject) },
      {
        key: 'changes',
        title: t('audit.changes'),
        width: 420,
        parts: [],
        render: (entry) => <ChangedFields entry={entry} />,
      },
      { key: 'reason', title: t('fund.reason'), render: (entry) => entry.reason ?? '–' },
      { key: 'ip', title: 'IP', optional: true, render: (entry) => entry.ip ?? '–' },
      { key: 'device', title: t('audit.device'), optional: true, render: (entry) => entry.device ?? '–' },
      {
        key: 'sessionId',
        title: t('audit.session'),
        optional: true,
        render: (entry) => entry.sessionId ?? '–',
      },
      {
        key: 'approvalId',
        title: t('audit.approval'),
        optional: true,
        render: (entry) => entry.approvalId ?? '–',
      },
    ],
  };
  return <ListScreen definition={definition} />;
}

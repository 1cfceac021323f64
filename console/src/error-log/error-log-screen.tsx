import { ApiOutlined, CodeOutlined } from '@ant-design/icons';
import { Tooltip } from 'antd';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { Moment } from '../figures/moment.tsx';
import { useNames } from '../language/names.ts';
import type { InputOf, RowOf } from '../http/call-types.ts';
import type { ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import { errorStore } from '../errors/error-store.ts';

type ErrorCall = typeof endpoints.errorLog.getErrorList;
type Entry = RowOf<ErrorCall>;

const TYPES = ['script', 'ajax'] as const;

/** Errors of consoles: the user's own, or everybody's for superAdmin and the technical roles. */
export function ErrorLogScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const name = useNames();
  // Opening the screen clears the dot. The next error sets it again.
  useEffect(() => errorStore.seen(), []);

  const definition: ListDefinition<Entry, InputOf<ErrorCall>> = {
    name: 'errorLog',
    title: title(screen),
    call: endpoints.errorLog.getErrorList,
    keyOf: (entry) => entry.id,
    emptyText: t('errorLog.empty'),
    filters: [
      {
        name: 'type',
        param: 'ty',
        kind: 'choice',
        label: t('errorLog.type'),
        pinned: true,
        values: TYPES,
        options: TYPES.map((type) => ({ value: type, label: t(`errorLog.types.${type}`) })),
      },
      { name: 'period', param: 't', kind: 'period', label: t('list.span'), pinned: true },
    ],
    columns: [
      {
        key: 'lastTime',
        title: t('errorLog.lastTime'),
        names: true,
        render: (entry) => <Moment time={entry.lastTime} />,
      },
      {
        key: 'type',
        title: t('errorLog.type'),
        render: ({ type }) => (
          <span>
            {type === 'script' ? <CodeOutlined aria-hidden /> : <ApiOutlined aria-hidden />}{' '}
            {t(`errorLog.types.${type}`)}
          </span>
        ),
      },
      { key: 'code', title: t('errorLog.code'), render: ({ code }) => (code === 0 ? '–' : code) },
      {
        key: 'mes',
        title: t('errorLog.message'),
        width: 420,
        render: ({ mes, stack }) => (
          <Tooltip title={stack && <pre style={{ whiteSpace: 'pre-wrap', margin: 0 }}>{stack}</pre>}>
            <span>{mes}</span>
          </Tooltip>
        ),
      },
      { key: 'url', title: 'URL', render: ({ url }) => url },
      { key: 'count', title: t('errorLog.count'), align: 'right', render: ({ count }) => count },
      {
        key: 'account',
        title: t('errorLog.account'),
        render: ({ account, role }) => `${account} · ${name('roles', role)}`,
      },
      {
        key: 'firstTime',
        title: t('errorLog.firstTime'),
        optional: true,
        render: (entry) => <Moment time={entry.firstTime} />,
      },
      {
        key: 'userAgent',
        title: t('errorLog.browser'),
        optional: true,
        render: ({ userAgent }) => userAgent,
      },
    ],
  };
  return <ListScreen definition={definition} />;
}

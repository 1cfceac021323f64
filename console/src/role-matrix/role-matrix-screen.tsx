import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { MATRIX_KINDS, type MatrixCell } from '@sangam/contract/role-matrix.ts';
import { ROLES } from '@sangam/contract/roles.ts';
import { screenAt } from '@sangam/contract/screens.ts';
import { SeeAsDialog } from '../dialogs/see-as-dialog.tsx';
import { Status } from '../figures/status.tsx';
import type { InputOf, RowOf } from '../http/call-types.ts';
import { useNames } from '../language/names.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import type { ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import { useMayCall } from '../session/may-call.ts';

type MatrixCall = typeof endpoints.roleMatrix.getRoleMatrix;
type MatrixRow = RowOf<MatrixCall>;

const TONES = { yes: 'positive', reads: 'warning', no: 'quiet' } as const satisfies Record<
  MatrixCell,
  string
>;

/** The subject of a row as text; a call is named by its path. */
function useRowTexts(): (row: MatrixRow) => string {
  const { t } = useTranslation();
  const name = useNames();
  const title = useTitles();
  return ({ kind, name: key }) => {
    const [first = '', second = ''] = key.split(' ');
    switch (kind) {
      case 'screen': {
        const screen = screenAt(key);
        return screen ? title(screen) : key;
      }
      case 'action':
        return t(`matrix.${first as 'collection' | 'payout'}`, { what: name('actions', second) });
      case 'request':
        return t(`matrix.${first as 'start' | 'decide'}`, { what: name('approvalKinds', second) });
      case 'call':
        return key;
    }
  };
}

/** Which role may do what: every screen, action on orders, request and call. */
export function RoleMatrixScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const name = useNames();
  const textOf = useRowTexts();
  const maySeeAs = useMayCall()(endpoints.user.seeAs);
  const [seeing, setSeeing] = useState(false);
  const definition: ListDefinition<MatrixRow, InputOf<MatrixCall>> = {
    name: 'roleMatrix',
    title: title(screen),
    call: endpoints.roleMatrix.getRoleMatrix,
    keyOf: (row) => row.id,
    emptyText: t('matrix.none'),
    tools: maySeeAs && <Button onClick={() => setSeeing(true)}>{t('seeAs.action')}</Button>,
    filters: [
      { name: 'name', param: 'q', kind: 'text', label: t('matrix.name'), pinned: true },
      {
        name: 'kind',
        param: 'k',
        kind: 'choice',
        label: t('matrix.kind'),
        pinned: true,
        values: MATRIX_KINDS,
        options: MATRIX_KINDS.map((kind) => ({ value: kind, label: name('matrixKinds', kind) })),
      },
      {
        name: 'role',
        param: 'r',
        kind: 'choice',
        label: t('matrix.role'),
        pinned: true,
        values: ROLES,
        options: ROLES.map((role) => ({ value: role, label: name('roles', role) })),
      },
    ],
    columns: [
      {
        key: 'name',
        title: t('matrix.name'),
        names: true,
        width: 220,
        render: (row) => (
          <>
            {textOf(row)}
            {row.kind === 'screen' && (
              <>
                {' '}
                <code>{row.name}</code>
              </>
            )}
          </>
        ),
      },
      {
        key: 'kind',
        words: 'matrixKinds',
        title: t('matrix.kind'),
        render: ({ kind }) => name('matrixKinds', kind),
      },
      ...ROLES.map((role) => ({
        key: role,
        words: 'matrixCells' as const,
        title: name('roles', role),
        render: (row: MatrixRow) =>
          row[role] === 'no' ? (
            '–'
          ) : (
            <Status tone={TONES[row[role]]} label={name('matrixCells', row[role])} />
          ),
      })),
      {
        key: 'sensitive',
        title: t('matrix.sensitive'),
        optional: true,
        render: ({ sensitive }) => (sensitive ? t('matrix.needed') : '–'),
      },
    ],
  };
  return (
    <>
      <ListScreen definition={definition} />
      {seeing && <SeeAsDialog onClose={() => setSeeing(false)} />}
    </>
  );
}

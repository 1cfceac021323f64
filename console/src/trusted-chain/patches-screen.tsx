import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { GAP_STATES } from '@sangam/contract/chain.ts';
import { Copyable } from '../figures/copyable.tsx';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import { Status } from '../figures/status.tsx';
import { useNames } from '../language/names.ts';
import type { InputOf } from '../http/call-types.ts';
import type { ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import type { Gap, GapsCall } from './chain.ts';
import { ChainDrawer } from './chain-drawer.tsx';
import { EndPatchDialog, PatchDialog } from './patch-dialogs.tsx';

const TONES = { open: 'negative', patched: 'pending', closed: 'quiet' } as const;

/** Gaps in the accounts' chains, and the patches that close them. */
export function PatchesScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const name = useNames();
  const [asked, setAsked] = useState<{ readonly gap: Gap; readonly action: Gap['actions'][number] }>();
  const definition: ListDefinition<Gap, InputOf<GapsCall>> = {
    name: 'securityPatches',
    title: title(screen),
    call: endpoints.chain.getSecurityPatchList,
    keyOf: (gap) => gap.id,
    openKeyOf: (gap) => gap.resourceId,
    emptyText: t('chain.noGaps'),
    waiting: { about: { kind: 'chainPatch' } },
    drawer: (id, close) => <ChainDrawer key={id} resourceId={id} onClose={close} />,
    filters: [
      {
        name: 'state',
        param: 's',
        kind: 'choice',
        label: t('messages.state'),
        pinned: true,
        values: GAP_STATES,
        options: GAP_STATES.map((state) => ({ value: state, label: name('gapStates', state) })),
      },
      { name: 'resourceId', param: 'ac', kind: 'digits', label: t('messages.resourceId'), pinned: true },
      { name: 'period', param: 't', kind: 'period', label: t('list.span') },
    ],
    columns: [
      {
        key: 'openedTime',
        title: t('chain.openedTime'),
        names: true,
        render: (gap) => <Moment time={gap.openedTime} />,
      },
      {
        key: 'state',
        words: 'gapStates',
        title: t('messages.state'),
        render: (gap) => <Status tone={TONES[gap.state]} label={name('gapStates', gap.state)} />,
      },
      {
        key: 'account',
        field: 'accountName',
        title: t('accounts.account'),
        render: (gap) => gap.accountName,
      },
      {
        key: 'delta',
        title: t('chain.delta'),
        align: 'right',
        render: (gap) => <Money minor={gap.delta} currency={gap.currency} directed strong />,
      },
      { key: 'fromTime', title: t('chain.fromTime'), render: (gap) => <Moment time={gap.fromTime} /> },
      { key: 'toTime', title: t('chain.toTime'), render: (gap) => <Moment time={gap.toTime} /> },
      {
        key: 'patch',
        parts: [
          { field: 'patch.kind', title: t('chain.patch'), words: 'patchKinds' },
          {
            field: 'patch.state',
            title: `${t('chain.patch')} · ${t('messages.state')}`,
            words: 'patchStates',
          },
        ],
        title: t('chain.patch'),
        render: ({ patch }) =>
          patch ? `${name('patchKinds', patch.kind)} · ${name('patchStates', patch.state)}` : '–',
      },
      {
        key: 'orders',
        parts: [{ field: 'patch.orderCodes', title: t('chain.orders') }],
        title: t('chain.orders'),
        render: ({ patch }) =>
          patch?.orderCodes.length ? <Copyable text={patch.orderCodes.join(', ')} /> : '–',
      },
      {
        key: 'author',
        parts: [{ field: 'patch.author', title: t('chain.author') }],
        title: t('chain.author'),
        render: ({ patch }) => (patch ? (patch.author ?? t('chain.leakChecker')) : '–'),
      },
      {
        key: 'reason',
        parts: [{ field: 'patch.reason', title: t('fund.reason') }],
        title: t('fund.reason'),
        optional: true,
        render: ({ patch }) => patch?.reason ?? '–',
      },
    ],
    actionsOf: (gap) =>
      gap.actions.map((action) => ({
        key: action,
        label: t(`chain.actions.${action}`),
        run: () => setAsked({ gap, action }),
      })),
  };
  const close = () => setAsked(undefined);
  return (
    <>
      <ListScreen definition={definition} />
      {asked?.action === 'patch' && <PatchDialog gap={asked.gap} onClose={close} />}
      {asked && asked.action !== 'patch' && (
        <EndPatchDialog {...asked} action={asked.action} onClose={close} />
      )}
    </>
  );
}

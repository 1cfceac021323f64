import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { PATCH_KINDS } from '@sangam/contract/chain.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { Money } from '../figures/money.tsx';
import { useSend } from '../http/use-send.ts';
import { useNames } from '../language/names.ts';
import type { InputOf } from '../http/call-types.ts';
import type { Gap } from './chain.ts';

const LISTS = [endpoints.chain.getSecurityNodeList, endpoints.chain.getChain] as const;

interface PatchDialogProps {
  readonly gap: Gap;
  readonly onClose: () => void;
}

type Orders = NonNullable<InputOf<typeof endpoints.chain.patchChain>['orders']>;

/** One order a line: its code, and the UTR where it is not paid yet. */
function ordersIn(lines: string | undefined): Orders {
  return (lines ?? '').split('\n').flatMap((line) => {
    const [orderCode, utr] = line.trim().split(/[\s,;]+/);
    return orderCode ? [utr ? { orderCode, utr } : { orderCode }] : [];
  });
}

/** Closes a gap on the operator's authority. */
export function PatchDialog({ gap, onClose }: PatchDialogProps) {
  const { t } = useTranslation();
  const name = useNames();
  const send = useSend(endpoints.chain.getSecurityPatchList, ...LISTS);
  const proposed = gap.patch?.state === 'proposed' ? gap.patch : undefined;
  return (
    <FormDialog
      title={t('chain.actions.patch')}
      facts={[
        [t('accounts.account'), gap.accountName],
        [t('chain.delta'), <Money minor={gap.delta} currency={gap.currency} directed strong />],
        [t('chain.fromTime'), gap.fromTime],
        [t('chain.toTime'), gap.toTime],
      ]}
      fields={[
        {
          name: 'kind',
          label: t('chain.kind'),
          kind: 'choice',
          required: true,
          initial: proposed?.kind ?? 'operator',
          options: PATCH_KINDS.map((kind) => ({ value: kind, label: name('patchKinds', kind) })),
        },
        {
          name: 'orders',
          label: t('chain.orders'),
          hint: t('chain.ordersHint'),
          kind: 'lines',
          initial: proposed?.orderCodes.join('\n'),
          when: ({ kind }) => kind === 'order-supplement' || kind === 'payout',
        },
        { name: 'evidence', label: t('chain.evidence'), kind: 'text', maxLength: 512 },
        { name: 'reason', label: t('fund.reason'), kind: 'lines', maxLength: 256, required: true },
      ]}
      consequence={t('chain.patchConsequence')}
      okText={t('chain.actions.patch')}
      onSubmit={async ({ orders, ...values }) => {
        const input = { ...values, gapId: gap.id, orders: ordersIn(orders as string | undefined) };
        await send(
          endpoints.chain.patchChain,
          input as InputOf<typeof endpoints.chain.patchChain>,
          t('chain.patched'),
        );
      }}
      onClose={onClose}
    />
  );
}

/** Withdraws a live patch, or drops what the leak checker proposed. */
export function EndPatchDialog({
  gap,
  action,
  onClose,
}: PatchDialogProps & { readonly action: 'withdraw' | 'drop' }) {
  const { t } = useTranslation();
  const name = useNames();
  const send = useSend(endpoints.chain.getSecurityPatchList, ...LISTS);
  const patch = gap.patch!;
  return (
    <FormDialog
      title={t(`chain.actions.${action}`)}
      facts={[
        [t('accounts.account'), gap.accountName],
        [t('chain.kind'), name('patchKinds', patch.kind)],
        [t('chain.delta'), <Money minor={gap.delta} currency={gap.currency} directed strong />],
      ]}
      fields={[{ name: 'reason', label: t('fund.reason'), kind: 'lines', maxLength: 256, required: true }]}
      consequence={t(`chain.consequence.${action}`)}
      okText={t(`chain.actions.${action}`)}
      danger={action === 'withdraw'}
      onSubmit={async ({ reason }) => {
        await send(endpoints.chain.endPatch, { id: patch.id, reason: reason as string }, t('chain.ended'));
      }}
      onClose={onClose}
    />
  );
}

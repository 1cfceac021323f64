import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { PATCH_KINDS } from '@sangam/contract/chain.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { Money } from '../figures/money.tsx';
import { useCall } from '../http/use-call.ts';
import { useSend } from '../http/use-send.ts';
import { useNames } from '../language/names.ts';
import type { InputOf } from '../http/call-types.ts';
import type { Gap } from './chain.ts';
import { type Chosen, type GapOrder, GapOrders, needsUtr, sumOf } from './gap-orders.tsx';

const LISTS = [endpoints.chain.getSecurityNodeList, endpoints.chain.getChain] as const;

interface PatchDialogProps {
  readonly gap: Gap;
  readonly onClose: () => void;
}

type PatchInput = InputOf<typeof endpoints.chain.patchChain>;

const NAMES_ORDERS: readonly unknown[] = ['order-supplement', 'payout'];

/** Closes a gap on the operator's authority. It offers orders that may explain the gap; the leak checker's proposal is preselected. */
export function PatchDialog({ gap, onClose }: PatchDialogProps) {
  const { t } = useTranslation();
  const name = useNames();
  const send = useSend(endpoints.chain.getSecurityPatchList, ...LISTS);
  const proposed = gap.patch?.state === 'proposed' ? gap.patch : undefined;
  const [kind, setKind] = useState<unknown>(proposed?.kind ?? 'operator');
  const [chosen, setChosen] = useState<Chosen>(
    () => new Map(proposed?.orderCodes.map((code) => [code, ''] as const)),
  );
  const found = useCall(endpoints.chain.getGapOrders, { gapId: gap.id });
  const namesOrders = NAMES_ORDERS.includes(kind);
  const submit = async (values: Readonly<Record<string, unknown>>) => {
    const known = found.data?.list ?? [];
    const named = namesOrders ? known.filter(({ orderCode }) => chosen.has(orderCode)) : [];
    if (named.length > 0 && sumOf(named, chosen) !== gap.delta) throw new Error(t('chain.sumDiffers'));
    const utrOf = ({ orderCode }: GapOrder) => chosen.get(orderCode)!.trim();
    if (named.some((order) => needsUtr(order) && utrOf(order) === '')) throw new Error(t('chain.utrMissing'));
    const orders = named.map((order) => ({
      orderCode: order.orderCode,
      ...(needsUtr(order) ? { utr: utrOf(order) } : {}),
    }));
    await send(
      endpoints.chain.patchChain,
      { ...values, gapId: gap.id, orders } as PatchInput,
      t('chain.patched'),
    );
  };
  return (
    <FormDialog
      title={t('chain.actions.patch')}
      width={720}
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
          options: PATCH_KINDS.map((value) => ({ value, label: name('patchKinds', value) })),
          onChange: setKind,
        },
        { name: 'evidence', label: t('chain.evidence'), kind: 'text', maxLength: 512 },
        { name: 'reason', label: t('fund.reason'), kind: 'lines', maxLength: 256, required: true },
      ]}
      consequence={t('chain.patchConsequence')}
      okText={t('chain.actions.patch')}
      onSubmit={submit}
      onClose={onClose}
    >
      {namesOrders && (
        <GapOrders
          gap={gap}
          orders={found.data?.list}
          failure={found.error?.message}
          chosen={chosen}
          onChange={setChosen}
        />
      )}
    </FormDialog>
  );
}

/** Withdraws a live patch, or dismisses a proposal of the leak checker. */
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

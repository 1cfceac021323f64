import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { useSend } from '../http/use-send.ts';
import { useMayCall } from '../session/may-call.ts';
import { type Party, PARTY_LISTS } from './party.ts';

export type Hold = 'freeze' | 'unfreeze' | 'legalHold' | 'liftLegalHold';

/** The holds that the viewer may set or lift on a subject now; none where the row does not state them. */
export function useHoldsOf(): (subject: {
  readonly frozen?: boolean | undefined;
  readonly legalHold?: boolean | undefined;
}) => readonly Hold[] {
  const mayCall = useMayCall();
  return ({ frozen, legalHold }) => {
    if (frozen === undefined) return [];
    return [
      ...(mayCall(endpoints.merchant.setFrozen) && !legalHold
        ? [frozen ? ('unfreeze' as const) : ('freeze' as const)]
        : []),
      ...(mayCall(endpoints.merchant.setLegalHold)
        ? [legalHold ? ('liftLegalHold' as const) : ('legalHold' as const)]
        : []),
    ];
  };
}

interface HoldDialogProps {
  readonly party: Pick<Party, 'id' | 'name'> & { readonly kind: Party['kind'] | 'account' | 'order' };
  readonly hold: Hold;
  /** Further lists that show the subject. */
  readonly stale?: readonly { readonly path: string }[];
  readonly onClose: () => void;
}

/** Freezes or unfreezes a party, an account or an order; also sets and lifts a legal hold. */
export function HoldDialog({ party, hold, stale = [], onClose }: HoldDialogProps) {
  const { t } = useTranslation();
  const send = useSend(...PARTY_LISTS, endpoints.party.getResourceList, ...stale);
  return (
    <FormDialog
      title={`${t(`holds.${hold}`)} · ${party.name}`}
      fields={[{ name: 'reason', label: t('fund.reason'), kind: 'lines', required: true }]}
      consequence={t(`holds.${party.kind === 'order' ? 'orderConsequence' : 'consequence'}.${hold}`)}
      okText={t(`holds.${hold}`)}
      danger={hold === 'freeze' || hold === 'legalHold'}
      onSubmit={async ({ reason }) => {
        const subject = {
          subjectKind: party.kind,
          subjectId: party.id,
          reason: reason as string,
        };
        const done = t(`holds.done.${hold}`, { name: party.name });
        if (hold === 'freeze' || hold === 'unfreeze')
          await send(endpoints.merchant.setFrozen, { ...subject, frozen: hold === 'freeze' }, done);
        else {
          await send(endpoints.merchant.setLegalHold, { ...subject, legalHold: hold === 'legalHold' }, done);
        }
      }}
      onClose={onClose}
    />
  );
}

import { useTranslation } from 'react-i18next';
import { settingName } from '../figures/record-values.ts';
import { useNames } from '../language/names.ts';
import { ListLink } from '../operator-table/list-link.tsx';
import { OrderLink } from '../orders/order-links.tsx';
import type { Approval } from './approval.ts';

/** The order, payout batch, merchant or supplier that a request is about, as a link. */
export function ApprovalSubject({ approval }: { readonly approval: Approval }) {
  const { t } = useTranslation();
  const name = useNames();
  const { subjectKind, subjectId, direction } = approval;
  const subject =
    subjectKind === 'setting'
      ? settingName(name, approval.subjectName ?? subjectId)
      : (approval.subjectName ?? subjectId);
  if (subjectKind === 'order')
    return <OrderLink code={subjectId} area={direction === 'out' ? 'payoutOrders' : 'collectionOrders'} />;
  if (subjectKind === 'payoutBatch')
    return (
      <ListLink list="batchPayout" filters={{ batchId: subjectId }}>
        {subject}
      </ListLink>
    );
  // A request about every merchant names none.
  if (subjectKind === 'merchant' && subjectId === '0') return <>{t('settlement.allMerchants')}</>;
  if (subjectKind === 'export') return <>{name('personalLists', subject.replace('/v1.0/', ''))}</>;
  if (subjectKind !== 'merchant' && subjectKind !== 'supplier') return <>{subject}</>;
  return (
    <ListLink
      list={subjectKind === 'merchant' ? 'merchants' : 'suppliers'}
      filters={{ name: subject }}
      open={subjectId}
    >
      {subject}
    </ListLink>
  );
}

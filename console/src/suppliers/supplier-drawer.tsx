import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { Copyable } from '../figures/copyable.tsx';
import { KycState } from '../figures/kyc-state.tsx';
import { Moment } from '../figures/moment.tsx';
import { HeldState } from '../parties/held-state.tsx';
import type { Supplier } from '../parties/party.ts';
import { PartyDrawer } from '../parties/party-drawer.tsx';
import { useParty } from '../parties/use-party.ts';
import { useMayCall } from '../session/may-call.ts';
import { EditSupplierDialog } from './supplier-dialogs.tsx';

const MOVES = ['topUp', 'withdrawal', 'balanceAdjustment', 'creditLimit'] as const;

interface SupplierDrawerProps {
  readonly id: string;
  readonly onClose: () => void;
}

export function SupplierDrawer({ id, onClose }: SupplierDrawerProps) {
  const { t } = useTranslation();
  const mayCall = useMayCall();
  const [editing, setEditing] = useState(false);
  const supplier = useParty<Supplier>(endpoints.party.getSupplierList, id);
  if (!supplier) return null;
  return (
    <>
      <PartyDrawer
        party={{ kind: 'supplier', ...supplier }}
        moves={MOVES}
        facts={[
          [t('people.supplierId'), <Copyable text={supplier.id} />],
          [t('people.account'), supplier.account],
          [t('people.state'), <HeldState {...supplier} />],
          ['KYC', <KycState state={supplier.kyc} />],
          [t('people.broughtBy'), supplier.agentName],
          [t('people.accountsEnabled'), `${supplier.enabledAccountCount} / ${supplier.accountCount}`],
          [t('people.openClaimsMax'), supplier.openClaimsMax],
          supplier.relatedMerchantId !== null && [
            t('people.relatedMerchant'),
            <Copyable text={supplier.relatedMerchantId} />,
          ],
          [t('people.createTime'), <Moment time={supplier.createTime} exact />],
        ]}
        actions={
          mayCall(endpoints.merchant.updateSupplier) && (
            <Button onClick={() => setEditing(true)}>{t('people.edit')}</Button>
          )
        }
        onClose={onClose}
      />
      {editing && <EditSupplierDialog supplier={supplier} onClose={() => setEditing(false)} />}
    </>
  );
}

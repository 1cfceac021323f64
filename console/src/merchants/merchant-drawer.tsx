import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { Copyable } from '../figures/copyable.tsx';
import { KycState } from '../figures/kyc-state.tsx';
import { Moment } from '../figures/moment.tsx';
import { HeldState } from '../parties/held-state.tsx';
import type { Merchant } from '../parties/party.ts';
import { RotateSecretDialog } from '../parties/rotate-secret-dialog.tsx';
import { PartyDrawer } from '../parties/party-drawer.tsx';
import { useParty } from '../parties/use-party.ts';
import { useMayCall } from '../session/may-call.ts';
import { LimitsDialog, MerchantCallbacksDialog, SettlementTermDialog } from './merchant-rules.tsx';
import { EditMerchantDialog } from './merchant-dialogs.tsx';

const MOVES = ['topUp', 'withdrawal', 'balanceAdjustment', 'clearBalance'] as const;

type Asked = 'edit' | 'secret' | 'limits' | 'callbacks' | 'term';

interface MerchantDrawerProps {
  readonly id: string;
  readonly onClose: () => void;
}

export function MerchantDrawer({ id, onClose }: MerchantDrawerProps) {
  const { t } = useTranslation();
  const mayCall = useMayCall();
  const [asked, setAsked] = useState<Asked>();
  const merchant = useParty<Merchant>(endpoints.party.getMerchantList, id);
  const close = () => setAsked(undefined);
  if (!merchant) return null;
  return (
    <>
      <PartyDrawer
        party={{ kind: 'merchant', ...merchant }}
        moves={MOVES}
        facts={[
          [t('people.merchantId'), <Copyable text={merchant.id} />],
          [t('people.account'), merchant.account],
          [t('people.state'), <HeldState {...merchant} />],
          ['KYC', <KycState state={merchant.kyc} />],
          [t('people.signType'), merchant.signType],
          [t('people.callbackTransport'), merchant.callbackTransport ?? t('people.platformTransport')],
          [
            t('orders.callbacks'),
            merchant.callbacksPaused
              ? t('callbacks.paused')
              : (merchant.callbackWaits?.join(', ') ?? t('callbacks.usualSchedule')),
          ],
          [t('settlement.term'), t('settlement.termOf', { count: merchant.settlementDays })],
          merchant.previousSecretUntil !== null && [
            t('people.previousSecretUntil'),
            <Moment time={merchant.previousSecretUntil} exact />,
          ],
          [t('people.createTime'), <Moment time={merchant.createTime} exact />],
        ]}
        actions={
          <>
            {mayCall(endpoints.merchant.updateMerchant) && (
              <Button onClick={() => setAsked('edit')}>{t('people.edit')}</Button>
            )}
            {mayCall(endpoints.merchant.rotateSecret) && (
              <Button onClick={() => setAsked('secret')}>{t('people.rotateSecret')}</Button>
            )}
            {mayCall(endpoints.merchant.updateLimits) && (
              <Button onClick={() => setAsked('limits')}>{t('limits.title')}</Button>
            )}
            {mayCall(endpoints.callback.setMerchantCallbacks) && (
              <Button onClick={() => setAsked('callbacks')}>{t('orders.callbacks')}</Button>
            )}
            {mayCall(endpoints.settlement.setSettlementTerm) && (
              <Button onClick={() => setAsked('term')}>{t('settlement.term')}</Button>
            )}
          </>
        }
        onClose={onClose}
      />
      {asked === 'edit' && <EditMerchantDialog merchant={merchant} onClose={close} />}
      {asked === 'limits' && <LimitsDialog merchant={merchant} onClose={close} />}
      {asked === 'callbacks' && <MerchantCallbacksDialog merchant={merchant} onClose={close} />}
      {asked === 'term' && <SettlementTermDialog merchant={merchant} onClose={close} />}
      {asked === 'secret' && (
        <RotateSecretDialog merchantId={merchant.id} name={merchant.name} isOwn={false} onClose={close} />
      )}
    </>
  );
}

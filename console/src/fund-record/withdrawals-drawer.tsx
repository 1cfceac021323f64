import { Alert, Button, Drawer, Skeleton } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { useIsNarrow } from '../appearance/use-media.ts';
import { DecisionDialog } from '../dialogs/decision-dialog.tsx';
import { NothingYet, Section } from '../figures/details.tsx';
import { Status } from '../figures/status.tsx';
import { TextButton } from '../figures/text-button.tsx';
import { useCall } from '../http/use-call.ts';
import { useSend } from '../http/use-send.ts';
import { STORY_MS } from '../orders/order-drawer.tsx';
import { useMayCall } from '../session/may-call.ts';
import { type Beneficiary, placeOf } from './beneficiary.ts';
import { BeneficiaryDialog } from './beneficiary-dialog.tsx';
import styles from './fund-record.module.css';
import { WithdrawDialog } from './withdraw-dialog.tsx';
import { WithdrawalTracker } from './withdrawal-tracker.tsx';

interface WithdrawalsDrawerProps {
  /** Called when the merchant wants to ask the operator for a payment from its balance in another way. */
  readonly onAskOperator: () => void;
  readonly onClose: () => void;
}

/** The call that each confirmed dialog makes. */
const CALLS = {
  withdraw: endpoints.withdrawal.withdraw,
  change: endpoints.withdrawal.askForBeneficiary,
  remove: endpoints.withdrawal.removeBeneficiary,
} as const;

interface Asked {
  readonly what: keyof typeof CALLS;
  readonly of: Beneficiary;
}

/** A merchant's beneficiaries, withdrawals to them, and the state of each. */
export function WithdrawalsDrawer({ onAskOperator, onClose }: WithdrawalsDrawerProps) {
  const { t } = useTranslation();
  const narrow = useIsNarrow();
  const [asked, setAsked] = useState<Asked | 'add'>();
  const close = () => setAsked(undefined);
  const mayCall = useMayCall();
  const known = useCall(endpoints.withdrawal.getBeneficiaries, {}, { everyMs: STORY_MS });
  return (
    <Drawer open size={narrow ? '100%' : 640} mask={false} onClose={onClose} title={t('withdrawal.title')}>
      <Section
        title={t('withdrawal.beneficiaries')}
        extra={
          mayCall(endpoints.withdrawal.askForBeneficiary) && (
            <Button onClick={() => setAsked('add')}>{t('withdrawal.add')}…</Button>
          )
        }
      >
        {known.error ? (
          <Alert type="error" showIcon title={known.error.message} />
        ) : !known.data ? (
          <Skeleton active />
        ) : known.data.list.length + known.data.waiting.length === 0 ? (
          <NothingYet text={t('withdrawal.nowhere')} />
        ) : (
          <ul className={styles['rows']}>
            {known.data.list.map((to) => (
              <BeneficiaryRow key={to.id} to={to} onAsk={(what) => setAsked({ what, of: to })} />
            ))}
            {known.data.waiting.map((to) => (
              <li key={to.todoId}>
                <span>
                  {to.userName}
                  <small>{placeOf(to)}</small>
                </span>
                <Status
                  tone="pending"
                  label={t(to.replaces === null ? 'withdrawal.waits' : 'withdrawal.changeWaits')}
                />
              </li>
            ))}
          </ul>
        )}
        <p>{t('withdrawal.hint')}</p>
      </Section>
      <WithdrawalTracker />
      {mayCall(endpoints.fund.withdrawFunds) && (
        <p>
          <TextButton
            text={t('withdrawal.otherwise')}
            label={t('withdrawal.otherwise')}
            onClick={onAskOperator}
          />
        </p>
      )}
      {asked === 'add' && <BeneficiaryDialog onClose={close} />}
      {asked && asked !== 'add' && <AskedDialog asked={asked} onClose={close} />}
    </Drawer>
  );
}

interface BeneficiaryRowProps {
  readonly to: Beneficiary;
  readonly onAsk: (what: Asked['what']) => void;
}

function BeneficiaryRow({ to, onAsk }: BeneficiaryRowProps) {
  const { t } = useTranslation();
  const mayCall = useMayCall();
  return (
    <li>
      <span>
        {to.userName}
        <small>{placeOf(to)}</small>
        {to.products.length === 0 && <small>{t('withdrawal.noProduct')}</small>}
      </span>
      <span className={styles['buttons']}>
        {(['change', 'remove'] as const)
          .filter((what) => mayCall(CALLS[what]))
          .map((what) => (
            <TextButton
              key={what}
              text={t(`withdrawal.${what}`)}
              label={`${t(`withdrawal.${what}`)}: ${to.userName}, ${placeOf(to)}`}
              onClick={() => onAsk(what)}
            />
          ))}
        {mayCall(CALLS.withdraw) && (
          <Button
            type="primary"
            disabled={to.products.length === 0}
            aria-label={`${t('withdrawal.withdraw')}: ${to.userName}, ${placeOf(to)}`}
            onClick={() => onAsk('withdraw')}
          >
            {t('withdrawal.withdraw')}…
          </Button>
        )}
      </span>
    </li>
  );
}

function AskedDialog({
  asked: { what, of },
  onClose,
}: {
  readonly asked: Asked;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const send = useSend(endpoints.withdrawal.getBeneficiaries);
  if (what === 'withdraw') return <WithdrawDialog to={of} onClose={onClose} />;
  if (what === 'change') return <BeneficiaryDialog before={of} onClose={onClose} />;
  return (
    <DecisionDialog
      title={t('withdrawal.remove')}
      facts={[[t('withdrawal.to'), `${of.userName} · ${placeOf(of)}`]]}
      consequence={t('withdrawal.removeConsequence')}
      okText={t('withdrawal.remove')}
      danger
      onConfirm={async () => {
        await send(endpoints.withdrawal.removeBeneficiary, { id: of.id }, t('withdrawal.removed'));
        return true;
      }}
      onClose={onClose}
    />
  );
}

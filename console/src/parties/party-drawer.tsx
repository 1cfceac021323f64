import { Button } from 'antd';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { RowDrawer } from '../dialogs/row-drawer.tsx';
import { ExplainDrawer, type ExplainedBalance } from '../balances/explain-drawer.tsx';
import { Balances } from '../figures/balances.tsx';
import { Facts, Section, type Fact } from '../figures/details.tsx';
import { useNames } from '../language/names.ts';
import { useMayCall } from '../session/may-call.ts';
import { FirstOrder } from './first-order.tsx';
import { type Hold, HoldDialog, useHoldsOf } from './hold-dialog.tsx';
import { KycSection } from './kyc-section.tsx';
import { MoneyDialog, type MoneyMove, MOVE_CALLS } from './money-dialog.tsx';
import styles from './parties.module.css';
import type { Party } from './party.ts';
import { TermsSection } from './terms-section.tsx';

interface PartyDrawerProps {
  readonly party: Party;
  readonly facts: readonly Fact[];
  readonly moves: readonly MoneyMove[];
  /** Actions for this kind of party only. */
  readonly actions?: ReactNode;
  readonly onClose: () => void;
}

/** A merchant or supplier: its facts, its terms, its balances, and the actions on it. */
export function PartyDrawer({ party, facts, moves, actions, onClose }: PartyDrawerProps) {
  const { t } = useTranslation();
  const name = useNames();
  const mayCall = useMayCall();
  const [move, setMove] = useState<MoneyMove>();
  const [hold, setHold] = useState<Hold>();
  const [explained, setExplained] = useState<Pick<ExplainedBalance, 'currency' | 'bucket'>>();
  const holds = useHoldsOf()(party);
  return (
    <RowDrawer width={720} onClose={onClose} title={party.name}>
      <div className={styles['actions']} role="group" aria-label={t('list.actions')}>
        {actions}
        {holds.map((each) => (
          <Button key={each} onClick={() => setHold(each)}>
            {t(`holds.${each}`)}
          </Button>
        ))}
      </div>
      <div className={styles['facts']}>
        <Facts facts={facts} />
      </div>
      {party.kind === 'merchant' && mayCall(endpoints.merchant.getFirstOrderSteps) && (
        <FirstOrder merchantId={party.id} />
      )}
      <Section title={t('people.balances')}>
        <div className={styles['balances']}>
          <Balances balances={party.balances} onExplain={setExplained} />
          <div className={styles['buttons']} role="group" aria-label={t('people.balances')}>
            {moves
              .filter((each) => mayCall(MOVE_CALLS[each]))
              .map((each) => (
                <Button key={each} size="small" onClick={() => setMove(each)}>
                  {name('approvalKinds', each)}…
                </Button>
              ))}
          </div>
        </div>
      </Section>
      {mayCall(endpoints.terms.getUserProductList) && (
        <>
          <TermsSection ownerKind={party.kind} ownerId={party.id} title={t('people.products')} />
          {party.kind === 'supplier' && (
            <TermsSection ownerKind="agent" ownerId={party.id} title={t('terms.asAgent')} />
          )}
        </>
      )}
      {mayCall(endpoints.kyc.getKycList) && (
        <KycSection subjectKind={party.kind} subjectId={party.id} title="KYC" />
      )}
      {move && <MoneyDialog party={party} move={move} onClose={() => setMove(undefined)} />}
      {explained && (
        <ExplainDrawer
          of={{ owner: party, name: party.name, ...explained }}
          onClose={() => setExplained(undefined)}
        />
      )}
      {hold && <HoldDialog party={party} hold={hold} onClose={() => setHold(undefined)} />}
    </RowDrawer>
  );
}

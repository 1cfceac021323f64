import { Alert, Button, Skeleton } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { DecisionDialog } from '../dialogs/decision-dialog.tsx';
import { NothingYet, Section } from '../figures/details.tsx';
import { Money } from '../figures/money.tsx';
import { Status } from '../figures/status.tsx';
import { TextButton } from '../figures/text-button.tsx';
import { useCall } from '../http/use-call.ts';
import { useSend } from '../http/use-send.ts';
import { useMayCall } from '../session/may-call.ts';
import styles from './parties.module.css';
import { useProductChoices } from './product-choices.ts';
import type { OwnerKind, Terms } from './terms.ts';
import { TermsDialog } from './terms-dialog.tsx';
import { useWaitingWithdrawals } from './use-waiting-withdrawals.ts';

/** The most terms read: those in force and those to come. */
const PAGE = 200;

interface TermsSectionProps {
  readonly ownerKind: OwnerKind;
  readonly ownerId: string;
  readonly title: string;
}

/** The products that an owner may use, with rates and limits. */
export function TermsSection({ ownerKind, ownerId, title }: TermsSectionProps) {
  const { t } = useTranslation();
  const mayCall = useMayCall();
  const choices = useProductChoices();
  const [asked, setAsked] = useState<{ readonly terms?: Terms }>();
  const [cancelling, setCancelling] = useState<Terms>();
  const waiting = useWaitingWithdrawals(ownerKind, ownerId);
  const send = useSend(endpoints.terms.getUserProductList);
  const { data, error, isLoading } = useCall(
    endpoints.terms.getUserProductList,
    { ownerKind, ownerId, pageSize: PAGE },
    { enabled: mayCall(endpoints.terms.getUserProductList) },
  );
  const shown = data?.list.filter((terms) => terms.state !== 'past') ?? [];
  const maySet = mayCall(endpoints.terms.setUserProduct);
  const mayCancel = mayCall(endpoints.terms.cancelUserProduct);
  return (
    <Section
      title={title}
      {...(data && { count: shown.length })}
      extra={
        maySet && (
          <Button size="small" onClick={() => setAsked({})}>
            {t('terms.add')}
          </Button>
        )
      }
    >
      {isLoading && <Skeleton active />}
      {!data && error && <Alert type="error" showIcon title={error.message} />}
      {data && shown.length === 0 && <NothingYet text={t('terms.none')} />}
      <ul className={`${styles['rows']} ${styles['terms']}`}>
        {shown
          .toSorted((a, b) => a.productId - b.productId)
          .map((terms) => (
            <TermsRow
              key={terms.id}
              terms={terms}
              product={choices.find(({ value }) => value === terms.productId)?.label ?? terms.productName}
              isLeaving={waiting.has(terms.id)}
              onEdit={maySet ? () => setAsked({ terms }) : undefined}
              onCancel={mayCancel ? () => setCancelling(terms) : undefined}
            />
          ))}
      </ul>
      {cancelling && (
        <DecisionDialog
          title={t('terms.cancel')}
          facts={[[t('terms.effective'), cancelling.effectiveTime]]}
          consequence={t('terms.cancelConsequence')}
          okText={t('terms.cancel')}
          onConfirm={async () => {
            await send(endpoints.terms.cancelUserProduct, { id: cancelling.id }, t('terms.cancelled'));
            return true;
          }}
          onClose={() => setCancelling(undefined)}
        />
      )}
      {asked && (
        <TermsDialog
          ownerKind={ownerKind}
          ownerId={ownerId}
          title={title}
          terms={asked.terms}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Section>
  );
}

interface TermsRowProps {
  readonly terms: Terms;
  readonly product: string;
  /** Somebody has asked to take them back. */
  readonly isLeaving: boolean;
  readonly onEdit: (() => void) | undefined;
  readonly onCancel: (() => void) | undefined;
}

function TermsRow({ terms, product, isLeaving, onEdit, onCancel }: TermsRowProps) {
  const { t } = useTranslation();
  const { currency } = terms;
  const isScheduled = terms.state === 'scheduled';
  const [run, text] = isScheduled
    ? [isLeaving ? undefined : onCancel, t('terms.cancel')]
    : [onEdit, t('people.edit')];
  return (
    <li>
      <span className={styles['rowName']}>{product}</span>
      <Status
        tone={isScheduled ? 'pending' : terms.enabled ? 'positive' : 'quiet'}
        label={
          isScheduled
            ? t('userProducts.state.scheduled')
            : t(terms.enabled ? 'people.enabled' : 'people.disabled')
        }
      />
      <span className="figures">
        {`${terms.ratePpm / 10_000}% + `}
        <Money minor={terms.fixedFee} currency={currency} />
      </span>
      <span className="figures">
        <Money minor={terms.minAmount} currency={currency} whole />
        {' – '}
        <Money minor={terms.maxAmount} currency={currency} whole />
      </span>
      {run ? <TextButton text={text} label={`${text} ${product}`} onClick={run} /> : <span />}
      {isScheduled && (
        <span className={styles['later']}>
          {t('terms.from', { time: terms.effectiveTime ?? '' })}
          {isLeaving && <Status tone="pending" label={t('terms.cancelWaits')} />}
        </span>
      )}
    </li>
  );
}

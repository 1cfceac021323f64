import { Alert, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { DEMO_AMOUNTS } from '@sangam/contract/demo-payments.ts';
import { NothingYet, Section } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import { Status } from '../figures/status.tsx';
import type { OutputOf } from '../http/call-types.ts';
import { useCall } from '../http/use-call.ts';
import styles from './interface-test.module.css';
import type { OwnInterface } from './own-interface.ts';
import { SandboxCalls } from './sandbox-calls.tsx';

type Caught = NonNullable<OutputOf<typeof endpoints.interfaceTest.getSandbox>['caught']>;

const EVERY_MS = 3_000;

/** Demo only: ready shell commands, how the simulated outside world reacts to them, and the callbacks this merchant got. */
export function Sandbox({ own }: { readonly own: OwnInterface }) {
  const { t } = useTranslation();
  const sandbox = useCall(endpoints.interfaceTest.getSandbox, {}, { everyMs: EVERY_MS });
  if (!sandbox.data)
    return sandbox.isError ? (
      <Alert type="error" showIcon title={sandbox.error.message} />
    ) : (
      <Skeleton active />
    );
  return (
    <div className={styles['docs']}>
      <SandboxCalls own={own} secret={sandbox.data.secret} />
      <Section title={t('interface.magic')}>
        <p>{t('interface.magicHint')}</p>
        <PlainTable
          rows={DEMO_AMOUNTS}
          keyOf={({ amount }) => String(amount)}
          columns={[
            {
              title: 'amount',
              cell: ({ amount }) => (
                <>
                  <code>{amount}</code> <Money minor={amount} currency="INR" />
                </>
              ),
            },
            { title: t('interface.payer'), cell: ({ payer }) => t(`interface.payerDoes.${payer}`) },
            { title: t('interface.payout'), cell: ({ payout }) => t(`interface.payoutEnds.${payout}`) },
          ]}
        />
      </Section>
      <Section title={t('interface.caught')}>
        {sandbox.data.caught ? (
          <CaughtList caught={sandbox.data.caught} />
        ) : (
          // A plain statement, not an alarm: an installation without the simulated outside world always shows it.
          <p role="status">{t('interface.nobodyCatches')}</p>
        )}
      </Section>
    </div>
  );
}

function CaughtList({ caught }: { readonly caught: Caught }) {
  const { t } = useTranslation();
  if (caught.length === 0) return <NothingYet text={t('interface.nothingCaught')} />;
  return (
    <ul className={styles['caught']} aria-live="polite">
      {caught.map(({ mchOrderNo, attempt, at, signatureValid, fields }) => (
        <li key={`${mchOrderNo} ${attempt}`}>
          <div className={styles['caughtHead']}>
            <code>{mchOrderNo}</code>
            <Status
              tone={signatureValid ? 'positive' : 'negative'}
              label={t(signatureValid ? 'interface.matches' : 'interface.differs')}
            />
            <span className={styles['soft']}>
              {t('interface.attempt', { count: attempt })} · <Moment time={at} />
            </span>
          </div>
          <pre tabIndex={0} aria-label={mchOrderNo}>
            {JSON.stringify(fields, null, 2)}
          </pre>
        </li>
      ))}
    </ul>
  );
}

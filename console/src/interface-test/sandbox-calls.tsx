import { Button, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DEMO_AMOUNTS } from '@sangam/contract/demo-payments.ts';
import { Section } from '../figures/details.tsx';
import { useCopy } from '../figures/use-copy.ts';
import styles from './interface-test.module.css';
import type { OwnInterface } from './own-interface.ts';
import { sandboxLines } from './sandbox-lines.ts';

/** An amount that the simulated payers do not pay: only whoever opens the payment page pays it. */
const PLAIN_AMOUNT = 500_00;

const newNumber = () => String(Date.now());

interface SandboxCallsProps {
  readonly own: OwnInterface;
  readonly secret: string;
}

/** The calls, each with a copy button. */
export function SandboxCalls({ own, secret }: SandboxCallsProps) {
  const { t } = useTranslation();
  const copy = useCopy();
  const [number, setNumber] = useState(newNumber);
  const [amount, setAmount] = useState<number>(DEMO_AMOUNTS[0].amount);
  const choices = [
    ...DEMO_AMOUNTS.map((each) => ({
      value: each.amount as number,
      label: `${each.amount} · ${t(`interface.payerDoes.${each.payer}`)}`,
    })),
    { value: PLAIN_AMOUNT, label: `${PLAIN_AMOUNT} · ${t('interface.payYourself')}` },
  ];
  return (
    <Section title={t('interface.lines')}>
      <p>{t('interface.linesHint')}</p>
      <div className={styles['choose']}>
        <Select
          aria-label="amount"
          value={amount}
          onChange={(chosen) => {
            setAmount(chosen);
            // The same order number with another amount is refused (1103), so the number changes too.
            setNumber(newNumber());
          }}
          options={choices}
          popupMatchSelectWidth={false}
        />
        <Button onClick={() => setNumber(newNumber())}>{t('interface.newNumbers')}</Button>
      </div>
      {sandboxLines(own, secret, { number, amount }).map(({ call, text }) => (
        <div key={call} className={styles['line']}>
          <div>
            <h3>{t(`interface.sandbox.${call}`)}</h3>
            <Button
              size="small"
              aria-label={`${t('interface.copyLine')}: ${t(`interface.sandbox.${call}`)}`}
              onClick={() => void copy(text)}
            >
              {t('interface.copyLine')}
            </Button>
          </div>
          <pre tabIndex={0} aria-label={t(`interface.sandbox.${call}`)}>
            {text}
          </pre>
        </div>
      ))}
    </Section>
  );
}

import { Alert, Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { businessDay } from '@sangam/contract/time.ts';
import type { DialogField } from '../dialogs/dialog-field.ts';
import { useFieldForm } from '../dialogs/field-form.tsx';
import { NothingYet } from '../figures/details.tsx';
import type { InputOf, OutputOf } from '../http/call-types.ts';
import { call } from '../http/client.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import { type AccountChange, accountsInput, wrongFields } from './account-changes.ts';
import { WhatIfAccounts } from './what-if-accounts.tsx';
import { WhatIfResult } from './what-if-result.tsx';
import styles from './order-analysis.module.css';

type WhatIfCall = typeof endpoints.whatIf.whatIf;

const DAY_MS = 24 * 60 * 60_000;
const MODES = ['off', 'warn', 'enforce'] as const;

function useFields(): readonly DialogField[] {
  const { t } = useTranslation();
  const whole = (name: string, min: number, max: number): DialogField => ({
    name,
    label: t(`whatIf.${name as 'maxWaiting'}`),
    kind: 'whole',
    min,
    max,
  });
  return [
    {
      name: 'day',
      label: t('whatIf.day'),
      kind: 'day',
      required: true,
      initial: businessDay(new Date(Date.now() - DAY_MS)),
    },
    whole('orderTimeoutMinutes', 1, 1440),
    whole('completeCheckMinutes', 0, 1440),
    {
      name: 'limitMode',
      label: t('whatIf.limitMode'),
      kind: 'choice',
      options: MODES.map((value) => ({ value, label: t(`whatIf.mode.${value}`) })),
    },
    whole('floatSteps', 0, 9999),
    whole('maxWaiting', 1, 10_000),
    { name: 'ratePpm', label: t('whatIf.ratePpm'), kind: 'percent' },
  ];
}

/** The what-if: a past day replayed through the real allocation, with the settings of that day and with others, side by side. */
export function WhatIfScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const fields = useFields();
  const [result, setResult] = useState<OutputOf<WhatIfCall>>();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [changes, setChanges] = useState<readonly AccountChange[]>([]);
  const [marked, setMarked] = useState(false);
  const { form, submit } = useFieldForm(fields);
  const run = async () => {
    const isWrong = changes.some((change) => wrongFields(change).length > 0);
    setMarked(isWrong);
    setProblem(isWrong ? t('whatIf.accountProblem') : undefined);
    if (isWrong) return;
    const accounts = accountsInput(changes);
    setBusy(true);
    try {
      await submit(async (values) => {
        const input = { ...values, ...(accounts.length > 0 && { accounts }) } as InputOf<WhatIfCall>;
        setResult(await call(endpoints.whatIf.whatIf, input));
      });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className={styles['page']} aria-label={title(screen)}>
      <h1>{title(screen)}</h1>
      <NothingYet text={t('whatIf.explain')} />
      <div className={styles['whatIf']}>
        <div>
          {form}
          <WhatIfAccounts changes={changes} onChange={setChanges} marked={marked} />
          <Button type="primary" loading={busy} onClick={() => void run()}>
            {t('whatIf.run')}
          </Button>
        </div>
        <div aria-live="polite">
          {problem !== undefined && <Alert type="error" showIcon title={problem} />}
          {result && <WhatIfResult result={result} />}
        </div>
      </div>
    </section>
  );
}

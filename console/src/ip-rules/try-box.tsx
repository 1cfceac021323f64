import { Alert, Input, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import type { IpDoor, IpEffect } from '@sangam/contract/ip-rules.ts';
import { Section } from '../figures/details.tsx';
import type { OutputOf } from '../http/call-types.ts';
import { useCall } from '../http/use-call.ts';
import { useNames } from '../language/names.ts';
import styles from './ip-rules.module.css';
import { useSubjects, useSubjectText } from './subject.ts';

/** The rule being written, with the fields filled in so far. */
export interface Draft {
  readonly id?: string | undefined;
  readonly effect: IpEffect;
  readonly subject: string;
  readonly network: string;
}

interface TryBoxProps {
  readonly door: IpDoor;
  readonly draft?: Draft;
}

type Verdict = OutputOf<typeof endpoints.ipRule.tryIpAddress>['now'];

const LOOKS_LIKE_ADDRESS = /^(\d{1,3}(\.\d{1,3}){3}|[0-9a-f]*:[0-9a-f:.]*)$/i;

/** Shows whether an address would be admitted, by the rules in force and with the rule being written. */
export function TryBox({ door, draft }: TryBoxProps) {
  const { t } = useTranslation();
  const [address, setAddress] = useState('');
  const [chosen, setChosen] = useState('anyone');
  const subjects = useSubjects(door);
  const as = subjects.some(({ value }) => value === chosen) ? chosen : 'anyone';
  const complete = draft && draft.network !== '' ? draft : undefined;
  const tried = useCall(
    endpoints.ipRule.tryIpAddress,
    {
      door,
      address,
      as,
      ...(complete && {
        draftId: complete.id,
        draftEffect: complete.effect,
        draftSubject: complete.subject,
        draftNetwork: complete.network,
      }),
    },
    { enabled: LOOKS_LIKE_ADDRESS.test(address) },
  );
  return (
    <Section title={t('ipRules.try.title')}>
      <div className={styles['try']}>
        <Input
          aria-label={t('ipRules.try.address')}
          placeholder="203.0.113.7"
          value={address}
          onChange={(event) => setAddress(event.target.value.trim())}
        />
        <Select
          aria-label={t('ipRules.try.as')}
          value={as}
          options={[...subjects]}
          showSearch={{ optionFilterProp: 'label' }}
          onChange={setChosen}
        />
      </div>
      <div className={styles['verdicts']} aria-live="polite">
        {tried.data && <VerdictLine title={t('ipRules.try.now')} verdict={tried.data.now} />}
        {tried.data?.withDraft && (
          <VerdictLine title={t('ipRules.try.withDraft')} verdict={tried.data.withDraft} />
        )}
        {tried.isError && address !== '' && <Alert type="warning" showIcon title={tried.error.message} />}
      </div>
    </Section>
  );
}

function VerdictLine({ title, verdict }: { readonly title: string; readonly verdict: Verdict }) {
  const { t } = useTranslation();
  const name = useNames();
  const subjectText = useSubjectText();
  const { allowed, because, rule } = verdict;
  const why =
    because === 'rule' && rule
      ? `${name('ipEffects', rule.effect)} ${rule.network} · ${subjectText(rule.subject, null)}`
      : t(`ipRules.try.${because === 'closed' ? 'closed' : 'open'}`);
  return (
    <Alert
      type={allowed ? 'success' : 'error'}
      showIcon
      title={`${title}: ${t(allowed ? 'ipRules.try.in' : 'ipRules.try.out')}`}
      description={why}
    />
  );
}

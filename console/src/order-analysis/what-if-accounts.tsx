import { CloseOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Checkbox, Input, Select } from 'antd';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { useCall } from '../http/use-call.ts';
import { type AccountChange, newChange, type NumberField, NUMBERS, wrongFields } from './account-changes.ts';
import styles from './order-analysis.module.css';

const FRESH_MS = 60_000;
/** How many accounts a search offers. */
const MOST_FOUND = 20;

interface WhatIfAccountsProps {
  readonly changes: readonly AccountChange[];
  readonly onChange: (changes: readonly AccountChange[]) => void;
  /** Wrong fields are marked only after the first try to replay. */
  readonly marked: boolean;
}

/** The accounts that are different in a replay, a row for each. */
export function WhatIfAccounts({ changes, onChange, marked }: WhatIfAccountsProps) {
  const { t } = useTranslation();
  const last = useRef(0);
  const chosen = changes.flatMap(({ account }) => (account ? [account.value] : []));
  return (
    <fieldset className={styles['changes']}>
      <legend>{t('whatIf.accounts')}</legend>
      {changes.map((change) => (
        <ChangeRow
          key={change.key}
          change={change}
          chosen={chosen}
          marked={marked}
          onChange={(next) => onChange(changes.map((each) => (each.key === change.key ? next : each)))}
          onRemove={() => onChange(changes.filter(({ key }) => key !== change.key))}
        />
      ))}
      <Button
        icon={<PlusOutlined aria-hidden />}
        onClick={() => {
          last.current += 1;
          onChange([...changes, newChange(last.current)]);
        }}
      >
        {t('whatIf.addAccount')}
      </Button>
    </fieldset>
  );
}

interface ChangeRowProps {
  readonly change: AccountChange;
  /** Accounts that have a row already: one account cannot have two. */
  readonly chosen: readonly string[];
  readonly marked: boolean;
  readonly onChange: (change: AccountChange) => void;
  readonly onRemove: () => void;
}

function ChangeRow({ change, chosen, marked, onChange, onRemove }: ChangeRowProps) {
  const { t } = useTranslation();
  const wrong = marked ? wrongFields(change) : [];
  const status = (field: (typeof wrong)[number]) =>
    wrong.includes(field) ? { status: 'error' as const, 'aria-invalid': true } : {};
  const name = change.account?.label ?? t('whatIf.noAccount');
  const number = (field: NumberField) => (
    <label key={field} className={styles['number']}>
      {t(`whatIf.${field}`)}
      <Input
        {...status(field)}
        className="figures"
        inputMode={field === 'dailyAmountLimit' ? 'decimal' : 'numeric'}
        autoComplete="off"
        maxLength={24}
        aria-label={`${name}: ${t(`whatIf.${field}`)}`}
        disabled={change.closed}
        value={change[field]}
        onChange={({ target }) => onChange({ ...change, [field]: target.value })}
      />
    </label>
  );
  return (
    <div className={styles['change']}>
      <AccountSearch
        {...status('account')}
        account={change.account}
        chosen={chosen}
        onChoose={(account) => onChange({ ...change, account })}
      />
      {NUMBERS.map(number)}
      <Checkbox
        checked={change.closed}
        onChange={({ target }) => onChange({ ...change, closed: target.checked })}
      >
        {t('whatIf.closed')}
      </Checkbox>
      <Button
        type="text"
        icon={<CloseOutlined aria-hidden />}
        aria-label={t('whatIf.removeAccount', { name })}
        onClick={onRemove}
      />
    </div>
  );
}

interface AccountSearchProps {
  readonly account: AccountChange['account'];
  readonly chosen: readonly string[];
  readonly onChoose: (account: AccountChange['account']) => void;
  readonly status?: 'error';
  readonly 'aria-invalid'?: boolean;
}

/** Chooses a receiving account. The server searches, because there are more accounts than a list should hold. */
function AccountSearch({ account, chosen, onChoose, ...status }: AccountSearchProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const found = useCall(
    endpoints.party.getResourceList,
    { direction: 'in', pageSize: MOST_FOUND, ...(typed.trim() ? { account: typed.trim() } : {}) },
    { keepPrevious: true, staleMs: FRESH_MS },
  );
  return (
    <Select
      {...status}
      className={styles['account']!}
      aria-label={t('whatIf.account')}
      placeholder={t('whatIf.account')}
      labelInValue
      allowClear
      value={account ?? null}
      loading={found.isFetching}
      // The server has filtered. Its matches need not contain the typed text: a VPA is found whole, a number by its end.
      showSearch={{ filterOption: false, onSearch: setTyped }}
      notFoundContent={found.isFetching ? null : t('whatIf.notFound')}
      options={(found.data?.list ?? []).map(({ id, bank, accountNumber, ownerName }) => ({
        value: id,
        label: `${bank} ${accountNumber} · ${ownerName}`,
        disabled: id !== account?.value && chosen.includes(id),
      }))}
      onChange={(next: { value: string; label?: unknown } | null | undefined) => {
        const row = found.data?.list.find(({ id }) => id === next?.value);
        onChoose(
          next && row ? { value: row.id, label: String(next.label), currency: row.currency } : undefined,
        );
      }}
    />
  );
}

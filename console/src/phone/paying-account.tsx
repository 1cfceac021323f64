/** @jsxImportSource preact */
import { useId } from 'preact/hooks';
import { usePhone } from './context.ts';
import styles from './phone.module.css';
import type { Paying } from './use-paying.ts';

/** Asks from which account the supplier pays; one tap chooses. */
export function PayingAccount({ paying: { accounts, chosen, choose } }: { readonly paying: Paying }) {
  const { payouts } = usePhone().texts;
  const name = useId();
  if (accounts.length === 0) return null;
  return (
    <fieldset className={styles['field']}>
      <legend>{payouts.payingAccount}</legend>
      {accounts.map((account) => (
        <label key={account.accountId} className={`${styles['plain']} ${styles['choice']}`}>
          <input
            type="radio"
            name={name}
            checked={account.accountId === chosen}
            onChange={() => choose(account.accountId)}
          />
          <span className="figures">{account.name}</span>
        </label>
      ))}
    </fieldset>
  );
}

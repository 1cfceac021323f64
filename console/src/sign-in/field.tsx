/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import styles from './sign-in.module.css';

interface Described {
  readonly id: string;
  readonly name: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby'?: string;
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | false;
  readonly children: (described: Described) => ComponentChildren;
}

/** A labelled field of the forms before the shell. */
export function Field({ name, label, hint, error, children }: FieldProps) {
  const told = error || hint;
  return (
    <div className={styles['field']}>
      <label htmlFor={name}>{label}</label>
      {children({
        id: name,
        name,
        'aria-invalid': Boolean(error),
        ...(told ? { 'aria-describedby': `${name}-told` } : {}),
      })}
      {told && (
        <span id={`${name}-told`} className={error ? styles['wrong'] : styles['told']}>
          {told}
        </span>
      )}
    </div>
  );
}

/** The text typed into a field of a form. */
export function typed(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value : '';
}

export const focusField = (form: HTMLFormElement, name: string): void =>
  form.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus();

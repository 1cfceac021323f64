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
  const note = error || hint;
  return (
    <div className={styles['field']}>
      <label htmlFor={name}>{label}</label>
      {children({
        id: name,
        name,
        'aria-invalid': Boolean(error),
        ...(note ? { 'aria-describedby': `${name}-note` } : {}),
      })}
      {note && (
        <span id={`${name}-note`} className={error ? styles['wrong'] : styles['note']}>
          {note}
        </span>
      )}
    </div>
  );
}

/** The field for the six digits of the authenticator app. */
export function GoogleCodeField(of: Pick<FieldProps, 'label' | 'hint' | 'error'>) {
  return (
    <Field name="googleCode" {...of}>
      {(described) => <input {...described} inputMode="numeric" autoComplete="one-time-code" maxLength={8} />}
    </Field>
  );
}

export const googleCodeOf = (form: HTMLFormElement): string => typed(form, 'googleCode').trim();

/** The text typed into a field of a form. */
export function typed(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value : '';
}

export const focusField = (form: HTMLFormElement, name: string): void =>
  form.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus();

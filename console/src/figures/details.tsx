import type { ReactNode } from 'react';
import styles from './figures.module.css';

/** Label and value; false where the viewer or the row has no such fact. */
export type Fact = readonly [label: string, value: ReactNode] | false;

interface FactsProps {
  readonly facts: readonly Fact[];
}

/** Label and value pairs, two columns where there is room. */
export function Facts({ facts }: FactsProps) {
  return (
    <dl className={styles['facts']}>
      {facts.map(
        (fact) =>
          fact && (
            <div key={fact[0]}>
              <dt>{fact[0]}</dt>
              <dd>{fact[1] ?? <span className={styles['absent']}>–</span>}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

interface SectionProps {
  readonly title: string;
  readonly count?: number;
  readonly extra?: ReactNode;
  readonly children: ReactNode;
}

export function Section({ title, count, extra, children }: SectionProps) {
  return (
    <section className={styles['section']} aria-label={title}>
      <header>
        <h2>
          {title}
          {count !== undefined && <span className={styles['count']}>{count}</span>}
        </h2>
        {extra}
      </header>
      {children}
    </section>
  );
}

export function NothingYet({ text }: { readonly text: string }) {
  return <p className={styles['nothing']}>{text}</p>;
}

/** Text as it went over the wire, folded until the reader opens it. */
export function Raw({ title, text }: { readonly title: string; readonly text: string | null }) {
  return (
    <div className={styles['raw']}>
      <span>{title}</span>
      <pre tabIndex={0}>{text || '–'}</pre>
    </div>
  );
}

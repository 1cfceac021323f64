import type { ComponentChildren } from 'preact';
import { StateIcon } from './state-icon.tsx';

interface OutcomeProps {
  readonly kind: 'late' | 'bad';
  readonly title: string;
  readonly hint: string;
  readonly children?: ComponentChildren;
}

export function Outcome({ kind, title, hint, children }: OutcomeProps) {
  return (
    <section class="card outcome">
      <StateIcon outcome={kind} />
      <h1>{title}</h1>
      <p class="hint">{hint}</p>
      {children}
    </section>
  );
}

export function Working({ title, hint }: { title: string; hint?: string }) {
  return (
    <section class="card outcome">
      <span class="spinner" aria-hidden="true" />
      <h1>{title}</h1>
      {hint !== undefined && <p class="hint">{hint}</p>}
    </section>
  );
}

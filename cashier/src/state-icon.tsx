const DRAWINGS = {
  good: 'M10 17l5 5 9-11',
  late: 'M16 9v8l5 3',
  bad: 'M11 11l10 10M21 11L11 21',
} as const;

/** Decorates an outcome that the heading beside it says in words. */
export function StateIcon({ outcome }: { outcome: keyof typeof DRAWINGS }) {
  return (
    <svg class={`state-icon ${outcome}`} viewBox="0 0 32 32" width="56" height="56" aria-hidden="true">
      <circle cx="16" cy="16" r="14" />
      <path d={DRAWINGS[outcome]} />
    </svg>
  );
}

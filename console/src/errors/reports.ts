/** An error in this window, in the form of the server's log. */
export interface ErrorReport {
  readonly type: 'script' | 'ajax';
  /** Code of the refused call; 0 for an error in a script. */
  readonly code: number;
  readonly mes: string;
  readonly url: string;
  readonly stack?: string;
}

/** The same error is reported at most once in this time. */
const REPEAT_MS = 60_000;
/** The most reports of one window in a minute, so that an error in a loop does not flood the server. */
const MOST_A_MINUTE = 10;
const LONGEST = { mes: 1000, url: 500, stack: 4000 } as const;

/** Returns a filter that lets a report through unless it repeats another, or there were too many in the last minute. */
export function createGate(now: () => number): (report: ErrorReport) => boolean {
  const passed: { readonly name: string; readonly at: number }[] = [];
  return ({ type, code, mes }) => {
    const name = `${type} ${code} ${mes}`;
    while (passed[0] && now() - passed[0].at >= REPEAT_MS) passed.shift();
    if (passed.length >= MOST_A_MINUTE || passed.some((each) => each.name === name)) return false;
    passed.push({ name, at: now() });
    return true;
  };
}

export function reportOf(error: unknown, url: string): ErrorReport {
  const mes = (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).trim();
  const stack = error instanceof Error ? error.stack : undefined;
  return {
    type: 'script',
    code: 0,
    mes: (mes || 'unknown').slice(0, LONGEST.mes),
    url: url.slice(0, LONGEST.url),
    ...(stack ? { stack: stack.slice(0, LONGEST.stack) } : {}),
  };
}

/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { default as Axe, RunOptions } from 'axe-core';

declare global {
  var axe: typeof Axe & {
    /** Missing in axe's types. */
    readonly _audit: { readonly rules: readonly { readonly id: string; readonly impact: string }[] };
  };
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Runs in the page. Switches off rules of minor or moderate impact, because only serious faults are reported. That saves a quarter
 * of the time.
 */
function askSeriousOnly(): void {
  const untold = axe._audit.rules.filter(({ impact }) => impact === 'minor' || impact === 'moderate');
  axe.configure({ rules: untold.map(({ id }) => ({ id, enabled: false })) });
}

/**
 * The serious and critical faults that axe finds, as text: of the page, or of the `part` that a selector names. `only` runs one
 * rule, where the others have run before. Of a table only the first rows are checked, because all rows are built the same way.
 */
export async function accessibilityFaults(
  page: Page,
  {
    part = 'html',
    only,
  }: { readonly part?: string; readonly only?: 'color-contrast' | 'scrollable-region-focusable' } = {},
): Promise<string[]> {
  // Loaded once per page. Loading it each time, as axe's own package for Playwright does, takes most of the time of a check.
  if (!(await page.evaluate(() => 'axe' in globalThis))) {
    await page.evaluate(AXE);
    await page.evaluate(askSeriousOnly);
  }
  return page.evaluate(
    async ({ include, options }) => {
      const { violations } = await axe.run({ include, exclude: 'tbody > tr:nth-child(n + 9)' }, options);
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) =>
          nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
        );
    },
    {
      include: part,
      options: { resultTypes: ['violations'], ...(only && { runOnly: [only] }) } satisfies RunOptions,
    },
  );
}

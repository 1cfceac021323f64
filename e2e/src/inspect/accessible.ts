/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { default as Axe, RunOptions } from 'axe-core';

declare global {
  var axe: typeof Axe & {
    /** Not in its types. */
    readonly _audit: { readonly rules: readonly { readonly id: string; readonly impact: string }[] };
  };
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Runs in the page. What a minor or moderate rule finds is not told, so it need not be looked for: a quarter of a look's time. */
function askSeriousOnly(): void {
  const untold = axe._audit.rules.filter(({ impact }) => impact === 'minor' || impact === 'moderate');
  axe.configure({ rules: untold.map(({ id }) => ({ id, enabled: false })) });
}

/**
 * What axe finds serious or critical, in words: of the page, or of the `part` a selector names; with `only` by one rule, where the
 * others have been asked already. Of a table the first rows are looked at, for one row is made as the other.
 */
export async function accessibilityFaults(
  page: Page,
  {
    part = 'html',
    only,
  }: { readonly part?: string; readonly only?: 'color-contrast' | 'scrollable-region-focusable' } = {},
): Promise<string[]> {
  // Once a page: brought along anew, as axe's own package for Playwright does, it is most of what a look takes.
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

import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** What axe finds serious or critical, in words; `only` one rule, where the others have been asked already. */
export async function accessibilityFaults(
  page: Page,
  { part, only }: { readonly part?: string; readonly only?: 'color-contrast' } = {},
): Promise<string[]> {
  // Our pages have no frames of others: one document is all there is to look through. One row is made as the other.
  let axe = new AxeBuilder({ page }).setLegacyMode().exclude('tbody > tr:nth-child(n + 9)');
  if (part) axe = axe.include(part);
  if (only) axe = axe.withRules(only);
  const { violations } = await axe.analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
}

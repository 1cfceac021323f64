import { formatMinor } from '@sangam/contract/money.ts';
import { harmless } from '../http/table-file.ts';
import { listFundRecords } from '../ledger/list.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal } from '../platform/refusal.ts';
import { TEXTS } from '../platform/texts.ts';
import { viewerOfGroup } from './party.ts';
import type { BotGroup } from './store.ts';
import { botText } from './texts.ts';

const PAGE = 500;
/** About ten megabytes. */
const MOST_ROWS = 100_000;

/**
 * The entries of a business day (YYYY-MM-DD) on the balances of the group's party, as CSV, oldest first. When there are more than `most`,
 * it has the newest of them and a line that says so.
 */
export async function fundRecordOf(
  platform: Platform,
  group: BotGroup,
  day: string,
  most = MOST_ROWS,
): Promise<{ readonly name: string; readonly text: string }> {
  const viewer = await viewerOfGroup(platform.db, group);
  const lines: string[] = [];
  const buckets: Readonly<Record<string, string>> = TEXTS[group.locale].botBuckets;
  const kinds: Readonly<Record<string, string>> = TEXTS[group.locale].postingKinds;
  let cursor: string | undefined;
  while (viewer && lines.length < most) {
    const page = await listFundRecords(platform, viewer, {
      startTime: day,
      endTime: day,
      pageSize: Math.min(PAGE, most - lines.length),
      cursor,
    });
    if (isRefusal(page)) break;
    for (const entry of page.list) {
      const cells = [
        entry.time,
        buckets[entry.bucket] ?? entry.bucket,
        kinds[entry.postingKind] ?? entry.postingKind,
        entry.orderCode ?? '',
        formatMinor(entry.amount, entry.currency),
        entry.balanceAfter === null ? '' : formatMinor(entry.balanceAfter, entry.currency),
        entry.currency,
        entry.reason ?? '',
      ];
      lines.push(cells.map(cell).join(','));
    }
    cursor = page.nextCursor ?? undefined;
    if (cursor === undefined) break;
  }
  if (cursor !== undefined) lines.push(cell(botText(group.locale, 'fundRecordCut', { count: lines.length })));
  const head = botText(group.locale, 'fundRecordHead');
  return { name: `fund-record-${day}.csv`, text: `\uFEFF${[head, ...lines.toReversed()].join('\r\n')}\r\n` };
}

function cell(text: string): string {
  const safe = /^-?[\d.]+$/.test(text) ? text : harmless(text);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

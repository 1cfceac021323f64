import { formatMinor } from '@sangam/contract/money.ts';
import { BYTE_ORDER_MARK, csvLine, harmless } from '../http/table-file.ts';
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
/** By column: amount and balance are numbers. */
const NUMBERS = [false, false, false, false, true, true];

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
        harmless(entry.reason ?? ''),
      ];
      lines.push(csvLine(cells, NUMBERS));
    }
    cursor = page.nextCursor ?? undefined;
    if (cursor === undefined) break;
  }
  if (cursor !== undefined)
    lines.push(csvLine([botText(group.locale, 'fundRecordCut', { count: lines.length })], NUMBERS));
  const head = `${botText(group.locale, 'fundRecordHead')}\r\n`;
  return { name: `fund-record-${day}.csv`, text: [BYTE_ORDER_MARK, head, ...lines.toReversed()].join('') };
}

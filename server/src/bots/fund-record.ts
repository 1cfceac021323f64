import { formatMinor } from '@sangam/contract/money.ts';
import { harmless } from '../http/table-file.ts';
import { listFundRecords } from '../ledger/list.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal } from '../platform/refusal.ts';
import { viewerOfGroup } from './party.ts';
import type { BotGroup } from './store.ts';
import { botText } from './texts.ts';

const PAGE = 500;
const MOST_ROWS = 20_000;

/** The entries of a business day (YYYY-MM-DD) on the balances of the group's party, as CSV, oldest first. */
export async function fundRecordOf(
  platform: Platform,
  group: BotGroup,
  day: string,
): Promise<{ readonly name: string; readonly text: string }> {
  const viewer = await viewerOfGroup(platform.db, group);
  const lines: string[] = [];
  let cursor: string | undefined;
  while (viewer && lines.length < MOST_ROWS) {
    const page = await listFundRecords(platform, viewer, {
      startTime: day,
      endTime: day,
      pageSize: PAGE,
      cursor,
    });
    if (isRefusal(page)) break;
    for (const entry of page.list) {
      const cells = [
        entry.time,
        entry.bucket,
        entry.postingKind,
        entry.orderCode ?? '',
        formatMinor(entry.amount, entry.currency),
        entry.balanceAfter === null ? '' : formatMinor(entry.balanceAfter, entry.currency),
        entry.currency,
        entry.reason ?? '',
      ];
      lines.push(cells.map(cell).join(','));
    }
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  const head = botText(group.locale, 'fundRecordHead');
  return { name: `fund-record-${day}.csv`, text: `\uFEFF${[head, ...lines.toReversed()].join('\r\n')}\r\n` };
}

function cell(text: string): string {
  const safe = /^-?[\d.]+$/.test(text) ? text : harmless(text);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

import { ALERTS, alertKindsOf } from '@sangam/contract/alerts.ts';
import type { getAlerts } from '@sangam/contract/endpoints/alert.ts';
import type { Locale } from '@sangam/contract/locale.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { alertText } from '../inbox/alert-text.ts';
import { empty, sql, type Sql } from '../platform/db/database.ts';
import { readPage, timeFilter } from '../platform/db/page.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';
import { checkName } from '../platform/texts.ts';
import type { Viewer } from '../platform/viewer.ts';
import { type Alert, ALERT_COLUMNS } from './alert.ts';

type Input = z.output<typeof getAlerts.input>;

/** Alerts of the kinds that the viewer's role sees, in the viewer's language. */
export async function listAlerts(
  platform: Platform,
  viewer: Viewer,
  input: Input,
): Promise<z.input<typeof getAlerts.output> | Refusal> {
  const kinds = alertKindsOf(viewer.role).filter(
    (kind) =>
      (input.kind === undefined || input.kind === kind) &&
      (input.severity === undefined || ALERTS[kind].severity === input.severity),
  );
  const page = await readPage<Alert>(platform, input, {
    columns: ALERT_COLUMNS,
    from: sql`
      from alerts a where a.kind = any(${kinds}::text[])
        ${isNull(sql`a.closed_at`, input.open)} ${isNull(sql`a.acknowledged_at`, negated(input.acknowledged))}
        ${timeFilter(sql`a.id`, input, platform.clock.now(), null)}`,
    key: sql`a.id`,
  });
  if (isRefusal(page)) return page;
  const time = (moment: Date | null) => (moment ? formatTime(moment) : null);
  return {
    ...page,
    list: page.list.map((alert) => ({
      id: String(alert.id),
      kind: alert.kind,
      severity: ALERTS[alert.kind].severity,
      text: alertText(alert, viewer.locale),
      subject: subjectOf(alert, viewer.locale),
      openTime: formatTime(alert.openedAt),
      acknowledgeTime: time(alert.acknowledgedAt),
      acknowledgedBy: alert.acknowledgedName,
      closeTime: time(alert.closedAt),
    })),
  };
}

const negated = (wanted: boolean | undefined) => (wanted === undefined ? undefined : !wanted);

function isNull(column: Sql, wanted: boolean | undefined): Sql {
  if (wanted === undefined) return empty;
  return wanted ? sql`and ${column} is null` : sql`and ${column} is not null`;
}

/** A check of the books is shown by its name; any other subject is a number or a code. */
const subjectOf = ({ kind, subject }: Alert, locale: Locale): string =>
  ALERTS[kind].subject === 'check' ? checkName(subject, locale) : subject;

import { rateKeyOf } from '@sangam/contract/alerts.ts';
import { closeAlert, raiseAlert } from '../../alerts/raise.ts';
import { MINUTE, SECOND } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { leased } from '../../platform/db/lease.ts';
import { perPlatform } from '../../platform/node-state.ts';
import type { Platform } from '../../platform/platform.ts';
import { judge, judgePace, type Recent, SLOT_MS, type Usual, type Verdict } from './judge.ts';
import { type Key, readRecent, readUsual } from './pulse.ts';

const HALF_HOUR = 30 * MINUTE;
const EVERY = 30 * SECOND;
/** An account that has fallen alone has `accountAlone` when its rate is at most this share of the usual rate, else `successRateFall`. */
const ALONE = 0.4;

/** What is usual, by half hour. It is read once for each half hour. */
const known = perPlatform(() => new Map<number, Promise<Map<string, Usual>>>());

/** Checks how orders are paid, on one node at a time. */
export function watchRates(platform: Platform): Promise<boolean> {
  return leased(platform, 'success rates', async () => {
    await lookAtRates(platform);
    return new Date(platform.clock.now().getTime() + EVERY);
  });
}

/**
 * Raises an alert for each product, bank, merchant and account whose payments stay away (an account's fall is its bank's when the other
 * accounts fall too), and for each product whose payments take twice as long as in the same half hour of the last four weeks. Closes alerts
 * whose payments are usual again.
 */
export async function lookAtRates(platform: Platform): Promise<void> {
  const now = platform.clock.now();
  const halfHour = new Date(Math.floor(now.getTime() / HALF_HOUR) * HALF_HOUR);
  const usual = await usualOf(platform, halfHour);
  const recent = await readRecent(platform.db, now);
  const verdicts = new Map<string, Verdict>();
  for (const [subject, each] of recent) {
    const band = usual.get(subject);
    const verdict = band && judge(each.recent, band);
    if (verdict) verdicts.set(subject, verdict);
  }
  const open = await openSubjects(platform);
  for (const [subject, { key, recent: orders }] of recent) {
    const verdict = verdicts.get(subject);
    if (verdict?.fell && key.kind !== 'account') await tellFall(platform, key, verdict);
    if (verdict?.fell && key.kind === 'account') {
      const rest = restOfBank(key, recent, usual);
      const isBanks = rest === undefined ? verdicts.get(key.within ?? '')?.fell === true : rest.fell;
      if (isAlone(verdict, rest)) await tellAccount(platform, key, verdict);
      else if (!isBanks && !open.has(`accountAlone/${idOf(subject)}`)) await tellFall(platform, key, verdict);
    }
    const pace = key.kind === 'product' ? judgePace(orders, usual.get(subject) ?? NONE) : undefined;
    if (pace?.slow) await tellPace(platform, key, pace);
    if (pace?.isUsual && open.has(`timeToPayDoubled/${subject}`))
      await closeAlert(platform, 'timeToPayDoubled', subject);
  }
  const subjects = new Map(
    [...recent].flatMap(([subject, { key }]) => (key.kind === 'account' ? [[idOf(subject), subject]] : [])),
  );
  // Without recent orders there is nothing that falls, so the alert is closed too.
  for (const kind of ['successRateFall', 'accountAlone'] as const)
    for (const subject of recentlyOpen(open, kind)) {
      const key = kind === 'accountAlone' ? (subjects.get(subject) ?? subject) : subject;
      if (verdicts.get(key)?.isUsual ?? !recent.has(key)) await closeAlert(platform, kind, subject);
    }
}

const NONE: Usual = { weeks: [], arrived: [1] };

function usualOf(platform: Platform, halfHour: Date): Promise<Map<string, Usual>> {
  const remembered = known(platform);
  const at = halfHour.getTime();
  const found = remembered.get(at) ?? readUsual(platform.db, halfHour, HALF_HOUR);
  remembered.clear();
  remembered.set(at, found);
  // A failed read is not kept.
  found.catch(() => remembered.delete(at));
  return found;
}

const percent = (share: number) => Math.round(share * 100);

function tellFall(platform: Platform, key: Key, { rate, usual }: Verdict): Promise<void> {
  const { subject, name, merchantId } = key;
  const data = { name, rate: percent(rate), usual: percent(usual) };
  return raiseAlert(platform, { kind: 'successRateFall', subject, data, merchantId });
}

/** How orders on the other accounts of an account's bank are paid. Undefined when there are no others or too few orders. */
function restOfBank(
  { subject, within = '' }: Key,
  recent: ReadonlyMap<string, { readonly recent: Recent }>,
  usual: ReadonlyMap<string, Usual>,
): Verdict | undefined {
  const [bank, bankUsual] = [recent.get(within)?.recent, usual.get(within)];
  const [own, ownUsual] = [recent.get(subject)?.recent, usual.get(subject)];
  if (!bank || !bankUsual || !own || !ownUsual) return undefined;
  const less = (all: readonly number[], part: readonly number[]) =>
    all.map((count, slot) => count - part[slot]!);
  return judge(
    { created: less(bank.created, own.created), paid: less(bank.paid, own.paid), delays: [] },
    {
      arrived: bankUsual.arrived,
      weeks: bankUsual.weeks.map((week, index) => ({
        orders: week.orders - ownUsual.weeks[index]!.orders,
        paid: week.paid - ownUsual.weeks[index]!.paid,
      })),
    },
  );
}

/** The id of an account. `accountAlone` has it as its subject, so that the alert opens the account. */
const idOf = (subject: string) => rateKeyOf(subject)!.id;

/** Whether payments stay away from this account only, and not from its bank's other accounts. */
function isAlone(own: Verdict, rest: Verdict | undefined): boolean {
  return own.rate <= own.usual * ALONE && rest?.fell !== true;
}

function tellAccount(platform: Platform, { subject, name }: Key, { rate, usual }: Verdict): Promise<void> {
  const data = { account: name, rate: percent(rate), usual: percent(usual) };
  return raiseAlert(platform, { kind: 'accountAlone', subject: idOf(subject), data });
}

function tellPace(
  platform: Platform,
  { subject, name }: Key,
  { median, usual }: { readonly median: number; readonly usual: number },
): Promise<void> {
  const minutes = (slots: number) => Math.round(((slots * SLOT_MS) / MINUTE) * 10) / 10;
  const data = { name, minutes: minutes(median), usual: minutes(usual) };
  return raiseAlert(platform, { kind: 'timeToPayDoubled', subject, data });
}

async function openSubjects(platform: Platform): Promise<ReadonlySet<string>> {
  const rows = await platform.db.query<{ kind: string; subject: string }>(sql`
    select kind, subject from alerts
    where closed_at is null and kind in ('successRateFall', 'timeToPayDoubled', 'accountAlone')`);
  return new Set(rows.map(({ kind, subject }) => `${kind}/${subject}`));
}

function recentlyOpen(open: ReadonlySet<string>, kind: string): string[] {
  return [...open].filter((each) => each.startsWith(`${kind}/`)).map((each) => each.slice(kind.length + 1));
}

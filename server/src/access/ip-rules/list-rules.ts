import type { getIpRules, tryIpAddress } from '@sangam/contract/endpoints/ip-rule.ts';
import { fitsDoor, type IpDoor, type IpSubject, parseIpSubject } from '@sangam/contract/ip-rules.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { empty, sql } from '../../platform/db/database.ts';
import { escapeLike, readPage } from '../../platform/db/page.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, type Refusal, wrongInput } from '../../platform/refusal.ts';
import { pointOf, rangeOf } from './ranges.ts';
import type { Comer, IpRule } from './rule.ts';
import { ruleOf } from './save-rule.ts';
import { ruleAt, sightOf } from './sight.ts';
import { readRules, rolesOfUsers } from './store.ts';

interface Row {
  readonly id: bigint;
  readonly door: IpDoor;
  readonly effect: IpRule['effect'];
  readonly subject: string;
  readonly subjectName: string | null;
  readonly network: string;
  readonly note: string;
  readonly expiresAt: Date | null;
  readonly hits: bigint;
  readonly lastHitAt: Date | null;
  readonly changedBy: string | null;
  readonly changedAt: Date;
}

export async function listRules(
  platform: Platform,
  input: z.output<typeof getIpRules.input>,
): Promise<z.input<typeof getIpRules.output> | Refusal> {
  const now = platform.clock.now();
  const expired = sql`(r.expires_at is not null and r.expires_at <= ${now})`;
  const { door, effect, state, network, note } = input;
  const page = await readPage<Row>(platform, input, {
    columns: sql`r.id, r.door, r.effect, r.subject, coalesce(u.account, m.name) as "subjectName", r.network::text as network,
      r.note, r.expires_at as "expiresAt", r.hits, r.last_hit_at as "lastHitAt", c.account as "changedBy",
      r.changed_at as "changedAt"`,
    from: sql`
      from ip_rules r
      left join users u on r.subject = 'user:' || u.id
      left join merchants m on r.subject = 'merchant:' || m.id
      left join users c on c.id = r.changed_by
      where true
        ${door === undefined ? empty : sql`and r.door = ${door}`}
        ${effect === undefined ? empty : sql`and r.effect = ${effect}`}
        ${state === undefined ? empty : state === 'expired' ? sql`and ${expired}` : sql`and not ${expired}`}
        ${network === undefined ? empty : networkFilter(network)}
        ${note === undefined ? empty : sql`and r.note ilike ${`%${escapeLike(note)}%`}`}`,
    key: sql`r.id`,
  });
  if (isRefusal(page)) return page;
  const list = page.list.map(({ id, expiresAt, hits, lastHitAt, changedAt, ...row }) => ({
    ...row,
    id: String(id),
    expiresTime: expiresAt && formatTime(expiresAt),
    state: expiresAt !== null && expiresAt <= now ? ('expired' as const) : ('active' as const),
    hits: Number(hits),
    lastHitTime: lastHitAt && formatTime(lastHitAt),
    changeTime: formatTime(changedAt),
  }));
  return { ...page, list };
}

/** An address finds the networks that contain it; any other text finds rules whose network contains the text. */
function networkFilter(text: string) {
  const address = text.includes('/') ? undefined : rangeOf(text);
  return address
    ? sql`and r.network >>= ${address.text}::inet`
    : sql`and r.network::text ilike ${`%${escapeLike(text)}%`}`;
}

/** Whether an address would get in, by the present rules and with a rule that is being written. */
export async function tryAddress(
  platform: Platform,
  input: z.output<typeof tryIpAddress.input>,
): Promise<z.input<typeof tryIpAddress.output> | Refusal> {
  const subject = parseIpSubject(input.as)!;
  if (!fitsDoor(input.door, subject)) return wrongInput('as');
  const comer = await comerOf(platform, subject);
  const rules = await readRules(platform.db);
  const verdict = (some: readonly IpRule[]) => verdictOf(some, input, comer, platform.clock.now());
  const { draftId, draftEffect, draftSubject = 'anyone', draftNetwork } = input;
  if (draftEffect === undefined || draftNetwork === undefined)
    return { now: verdict(rules), withDraft: null };
  const draft = ruleOf(BigInt(draftId ?? '0'), {
    door: input.door,
    effect: draftEffect,
    subject: draftSubject,
    network: draftNetwork,
    note: '',
    expiresTime: null,
  });
  if (isRefusal(draft)) return draft;
  return { now: verdict(rules), withDraft: verdict([...rules.filter(({ id }) => id !== draft.id), draft]) };
}

async function comerOf(platform: Platform, subject: IpSubject): Promise<Comer> {
  if (subject.kind === 'anyone') return {};
  if (subject.kind === 'role') return { role: subject.role };
  if (subject.kind === 'merchant') return { merchantId: subject.id };
  const [user] = await rolesOfUsers(platform.db, [subject.id]);
  return { userId: subject.id, ...(user && { role: user.role }) };
}

function verdictOf(
  rules: readonly IpRule[],
  { door, address }: { readonly door: IpDoor; readonly address: string },
  comer: Comer,
  at: Date,
): z.input<typeof tryIpAddress.output>['now'] {
  const sight = sightOf(rules, door, comer, at);
  const rule = ruleAt(sight, pointOf(address)!);
  if (!rule) return { allowed: !sight.closed, because: sight.closed ? 'closed' : 'open', rule: null };
  const { effect, subjectText, range } = rule;
  return {
    allowed: effect === 'allow',
    because: 'rule',
    rule: { effect, subject: subjectText, network: range.text },
  };
}

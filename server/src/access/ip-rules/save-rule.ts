import { fitsDoor, MOST_IP_RULES, parseIpSubject } from '@sangam/contract/ip-rules.ts';
import type { removeIpRule, saveIpRule } from '@sangam/contract/endpoints/ip-rule.ts';
import { parseTime } from '@sangam/contract/time.ts';
import { z } from 'zod';
import { approvalHandler } from '../../approvals/approval.ts';
import { approvalNeeded, startApproval, type Started } from '../../approvals/start.ts';
import { audit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal, wrongInput } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { lockOutProblem, loosens } from './check-change.ts';
import { ipRules } from './ip-rules.ts';
import { rangeOf } from './ranges.ts';
import { type IpRule, lineOf } from './rule.ts';
import { deleteRule, lockRules, subjectExists, writeRule } from './store.ts';

/** One change: the new state of the rule, or null to remove it. */
interface Change {
  readonly id: bigint;
  readonly rule: IpRule | null;
  readonly reason: string | null;
}

/** Adds or changes a rule. A change that lets in a caller who was refused before waits for a second person (1205). */
export async function saveRule(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof saveIpRule.input>,
): Promise<{ readonly id: string } | Refusal> {
  const id = input.id === undefined ? platform.ids.next() : BigInt(input.id);
  const rule = ruleOf(id, { ...input, expiresTime: input.expiresTime ?? null });
  if (isRefusal(rule)) return rule;
  const { expiresAt } = rule;
  if (expiresAt !== null && expiresAt <= platform.clock.now()) return wrongInput('expiresTime');
  return askOrDo(platform, viewer, { id, rule, reason: input.reason }, input.id === undefined);
}

export function removeRule(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof removeIpRule.input>,
): Promise<{ readonly id: string } | Refusal> {
  return askOrDo(platform, viewer, { id: BigInt(input.id), rule: null, reason: input.reason }, false);
}

interface RuleText {
  readonly door: IpRule['door'];
  readonly effect: IpRule['effect'];
  readonly subject: string;
  readonly network: string;
  readonly note: string;
  /** YYYY-MM-DD HH:mm:ss */
  readonly expiresTime: string | null;
}

/** Makes a rule from its texts; a refusal names the wrong field. */
export function ruleOf(id: bigint, text: RuleText): IpRule | Refusal {
  const { door, effect, note, expiresTime } = text;
  const wrong = (path: string) => wrongInput(path);
  const subject = parseIpSubject(text.subject);
  if (!subject || !fitsDoor(door, subject)) return wrong('subject');
  const range = rangeOf(text.network);
  if (!range) return wrong('network');
  const expiresAt = expiresTime === null ? null : (parseTime(expiresTime) ?? undefined);
  if (expiresAt === undefined) return wrong('expiresTime');
  return { id, door, effect, subject, subjectText: text.subject, range, note, expiresAt };
}

async function askOrDo(
  platform: Platform,
  viewer: Viewer,
  change: Change,
  isNew: boolean,
): Promise<{ readonly id: string } | Refusal> {
  if (viewer.role !== 'superAdmin') return refuse('forbidden');
  const outcome = await platform.db.tx(async (tx): Promise<Started | Refusal | undefined> => {
    const rules = await lockRules(tx);
    const before = rules.find(({ id }) => id === change.id);
    if (!isNew && !before) return refuse('notFound');
    const after = await rulesAfter(platform, tx, viewer, rules, change);
    if (isRefusal(after)) return after;
    const doors = [...new Set([before, change.rule].flatMap((rule) => (rule ? [rule.door] : [])))];
    if (await loosens(tx, rules, after, doors, platform.clock.now())) {
      return startApproval(platform, tx, viewer, {
        kind: 'ipRuleChange',
        subjectKind: 'ipRule',
        subjectId: change.id,
        payload: payloadOf(change, before),
        reason: change.reason,
        sole: true,
      });
    }
    await put(platform, tx, viewer, change, before);
    return undefined;
  });
  if (isRefusal(outcome)) return outcome;
  if (outcome) return approvalNeeded(outcome);
  await ipRules(platform).refresh();
  return { id: String(change.id) };
}

/** The rules after the change, or the reason why they are not allowed. */
async function rulesAfter(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  rules: readonly IpRule[],
  { id, rule }: Change,
): Promise<readonly IpRule[] | Refusal> {
  const others = rules.filter((each) => each.id !== id);
  if (rule) {
    if (!(await subjectExists(tx, rule))) return wrongInput('subject');
    const same = others.some(
      (each) =>
        each.door === rule.door &&
        each.subjectText === rule.subjectText &&
        each.range.text === rule.range.text,
    );
    if (same) return refuse('conflict', {}, { reason: 'ipRuleExists', fields: [{ path: 'network' }] });
    if (others.filter(({ door }) => door === rule.door).length >= MOST_IP_RULES)
      return refuse('conflict', {}, { reason: 'ipRulesFull' });
  }
  const after = rule ? [...others, rule] : others;
  return (await lockOutProblem(tx, after, viewer, platform.clock.now())) ?? after;
}

async function put(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  { id, rule, reason }: Change,
  before: IpRule | undefined,
): Promise<void> {
  if (rule) await writeRule(tx, rule, viewer.userId, platform.clock.now());
  else await deleteRule(tx, id);
  const textOf = (each: IpRule) => ({ rule: lineOf(each), note: each.note });
  await audit(platform, tx, {
    userId: viewer.userId,
    action: rule ? (before ? 'ipRule.change' : 'ipRule.add') : 'ipRule.remove',
    subject: `ipRule:${id}`,
    ...(before && { before: textOf(before) }),
    ...(rule && { after: textOf(rule) }),
    reason,
    ip: viewer.ip,
  });
}

const payload = z.object({
  /** The rule before the change, in one line; null for a new rule. */
  ruleBefore: z.string().nullable(),
  /** The rule after the change; absent when it is removed. */
  rule: z.string().nullable(),
  note: z.string(),
  door: z.string(),
  network: z.string(),
});

function payloadOf({ rule }: Change, before: IpRule | undefined): z.output<typeof payload> {
  const { door, range } = (rule ?? before)!;
  return {
    ruleBefore: before ? lineOf(before) : null,
    rule: rule ? lineOf(rule) : null,
    note: (rule ?? before)!.note,
    door,
    network: range.text,
  };
}

/** Reads a rule from its line (`lineOf`). */
function ruleOfLine(id: bigint, line: string, note: string): IpRule | Refusal {
  const [door, subject, effect, network, , until] = line.split(' ');
  const rule = ruleOf(id, {
    door: door as IpRule['door'],
    effect: effect as IpRule['effect'],
    subject: subject!,
    network: network!,
    note,
    expiresTime: null,
  });
  return isRefusal(rule) || until === undefined ? rule : { ...rule, expiresAt: new Date(until) };
}

/** Executes the requested change. A rule that was changed since the request is refused. */
export const ipRuleApproval = approvalHandler({
  kind: 'ipRuleChange',
  payload,
  summary: () => ({ amount: null, currency: null }),
  after: (platform) => ipRules(platform).refresh(),
  async execute(platform, tx, { payload: asked, subjectId: id, reason }, decider) {
    const rules = await lockRules(tx);
    const before = rules.find((each) => each.id === id);
    if ((before ? lineOf(before) : null) !== asked.ruleBefore) return refuse('conflict');
    const rule = asked.rule === null ? null : ruleOfLine(id, asked.rule, asked.note);
    if (isRefusal(rule)) return rule;
    const change = { id, rule, reason };
    const after = await rulesAfter(platform, tx, decider, rules, change);
    if (isRefusal(after)) return after;
    await put(platform, tx, decider, change, before);
    return { rule: asked.rule, network: asked.network };
  },
});

import { APPROVAL_KINDS, APPROVAL_RULES, type ApprovalKind } from '@sangam/contract/approvals.ts';
import { ROLES, type Role } from '@sangam/contract/roles.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noteControlChange } from '../access/control-changes.ts';
import { DAY, HOUR } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { isRefusal } from '../platform/refusal.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeUser, viewerOf } from '../testing/world.ts';
import { lockForDecision } from './decide.ts';
import { startApproval } from './start.ts';

/** Every kind of request with every role that may decide, and with each relation between starter and decider. */

interface Pair {
  readonly starter: bigint;
  readonly decider: bigint;
}
type Outcome = 'may' | 'forbidden' | 'sameHands' | 'freshUser';

/** Who made whom, by letters: s starter, d decider, other letters third persons. It happened two days ago. */
const CHAINS: Readonly<Record<string, { readonly made: readonly string[]; readonly outcome: Outcome }>> = {
  strangers: { made: [], outcome: 'may' },
  'the starter made the decider': { made: ['sd'], outcome: 'sameHands' },
  'the decider made the starter': { made: ['ds'], outcome: 'sameHands' },
  'one person made both': { made: ['as', 'ad'], outcome: 'sameHands' },
  'two persons made them': { made: ['as', 'bd'], outcome: 'may' },
  'the starter made one who made the decider': { made: ['sa', 'ad'], outcome: 'sameHands' },
  'the decider made one who made one who made the starter': {
    made: ['da', 'ab', 'bs'],
    outcome: 'sameHands',
  },
  'one person stands behind both, two users away': { made: ['ab', 'bs', 'ac', 'cd'], outcome: 'sameHands' },
  'both made a third': { made: ['sa', 'da'], outcome: 'may' },
  'they made each other’s makers': { made: ['sa', 'ab', 'db'], outcome: 'may' },
};

let node: TestPlatform;
const pairs = new Map<string, Pair>();
let fresh: Pair;
let old: Pair;

const user = async () => (await makeUser(node.platform, { role: 'admin' })).id;

async function paired(made: readonly string[]): Promise<Pair> {
  const people = new Map<string, bigint>();
  for (const letter of new Set(['s', 'd', ...made.flatMap((each) => each.split(''))]))
    people.set(letter, await user());
  await node.platform.db.tx(async (tx) => {
    for (const [by, whom] of made.map((each) => each.split('')))
      await noteControlChange(node.platform, tx, {
        userId: people.get(whom!)!,
        by: people.get(by!)!,
        change: 'created',
      });
  });
  return { starter: people.get('s')!, decider: people.get('d')! };
}

beforeAll(async () => {
  node = await createTestPlatform();
  old = await paired(['sd']);
  node.clock.advance(31 * DAY);
  for (const [name, { made }] of Object.entries(CHAINS)) pairs.set(name, await paired(made));
  node.clock.advance(2 * DAY);
  fresh = await paired(['ad']);
  node.clock.advance(HOUR);
});
afterAll(() => node.close());

async function outcome(kind: ApprovalKind, role: Role, { starter, decider }: Pair, approve = true) {
  const { platform } = node;
  return platform.db.tx(async (tx): Promise<Outcome> => {
    const starts = APPROVAL_RULES[kind].start[0]!;
    await tx.query(sql`update users set role = ${starts} where id = ${starter} and role <> ${starts}`);
    const viewer = viewerOf(platform, { role: starts, userId: starter });
    const asked = await startApproval(platform, tx, viewer, {
      kind,
      subjectKind: 'system',
      subjectId: platform.ids.next(),
      payload: {},
      reason: null,
      sole: false,
    });
    if (isRefusal(asked)) throw new Error(asked.code);
    const who = viewerOf(platform, { role, userId: decider });
    const answer = await lockForDecision(platform, tx, who, { id: asked.todoId, approve });
    if (!isRefusal(answer)) return 'may';
    return ((answer.data as { readonly reason?: Outcome } | undefined)?.reason ?? answer.code) as Outcome;
  });
}

test.each(APPROVAL_KINDS)('%s', async (kind) => {
  const wrong: string[] = [];
  for (const role of ROLES) {
    const may = APPROVAL_RULES[kind].decide.includes(role);
    const expected: readonly (readonly [string, Pair, Outcome])[] = [
      ...Object.entries(CHAINS).map(([name, chain]) => [name, pairs.get(name)!, chain.outcome] as const),
      ['made a month ago', old, 'may'],
      ['made an hour ago by somebody else', fresh, 'freshUser'],
      ['the starter itself', { starter: fresh.starter, decider: fresh.starter }, 'forbidden'],
    ];
    for (const [name, pair, wanted] of expected) {
      const got = await outcome(kind, role, pair);
      if (got !== (may ? wanted : 'forbidden')) wrong.push(`${role}, ${name}: ${got}`);
      // Whoever may decide may always refuse, but not its own request.
      const no = await outcome(kind, role, pair, false);
      if (no !== (may && wanted !== 'forbidden' ? 'may' : 'forbidden'))
        wrong.push(`${role}, ${name}, no: ${no}`);
    }
  }
  expect(wrong).toEqual([]);
});

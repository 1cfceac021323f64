import { APPROVAL_RULES, type ApprovalStatus } from '@sangam/contract/approvals.ts';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { APPROVAL_HANDLERS } from '../app/approval-kinds.ts';
import { DAY, HOUR } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal } from '../platform/refusal.ts';
import { brokenChecks } from '../testing/books.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { inParallel, named, runSequences, type Run, type Turn } from '../testing/sequences.ts';
import { makeUser, viewerOf } from '../testing/world.ts';
import type { Viewer } from '../platform/viewer.ts';
import { decide, withdraw } from './decide.ts';
import { expireApprovals } from './expire.ts';
import { startApproval } from './start.ts';

const USUAL = 2_000;
const ROLES = ['superAdmin', 'admin', 'admin', 'customerService'] as const;
type Who = 0 | 1 | 2 | 3;

let node: TestPlatform;
let rival: Platform;
let people: Viewer[];
beforeAll(async () => {
  node = await createTestPlatform();
  rival = node.anotherNode();
  people = [];
  for (const role of ROLES)
    people.push(viewerOf(node.platform, { role, userId: (await makeUser(node.platform, { role })).id }));
});
afterAll(() => node.close());

type Kind = 'topUp' | 'withdrawal' | 'balanceAdjustment';
type Ask = { readonly kind: 'ask'; readonly of: Kind; readonly amount: number; readonly who: Who };
type Answer =
  | { readonly kind: 'decide'; readonly nth: number; readonly who: Who; readonly approve: boolean }
  | { readonly kind: 'withdraw'; readonly nth: number; readonly who: Who };
/** Two decisions at once about one request, on two nodes. */
type Pair = { readonly kind: 'pair'; readonly first: Answer; readonly second: Answer };
type Command = Ask | Answer | Pair;

const who = fc.constantFrom<Who>(0, 1, 2, 3);
const nth = fc.nat(5);
const answer: fc.Arbitrary<Answer> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('decide' as const), nth, who, approve: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('withdraw' as const), nth, who }) },
);
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('ask' as const),
      of: fc.constantFrom<Kind>('topUp', 'topUp', 'withdrawal', 'balanceAdjustment'),
      // Few different amounts, so that a balance is often just enough or just too small.
      amount: fc.constantFrom(100, 200, 300),
      who,
    }),
  },
  { weight: 4, arbitrary: answer },
  {
    weight: 1,
    arbitrary: fc
      .tuple(answer, answer)
      .map(([first, second]): Pair => ({ kind: 'pair', first, second: { ...second, nth: first.nth } })),
  },
);

interface Todo {
  readonly maker: Who;
  /** The change of the balance by its execution. */
  readonly adds: number;
  readonly startedAt: number;
  readonly status: ApprovalStatus;
  readonly decidedBy: Who | null;
}

/** What was asked about one merchant, and its balance. */
interface Model {
  readonly todos: readonly Todo[];
  readonly balance: number;
}

interface Life {
  readonly merchantId: bigint;
  readonly ids: bigint[];
  model: Model;
}

interface Outcome {
  readonly said: string;
  readonly after: Model;
}

/** The rules: no balance below zero, nobody decides an own request, and a final status stays. */
function answered({ todos, balance }: Model, index: number, what: Answer): Outcome {
  const todo = todos[index]!;
  const same = (said: string): Outcome => ({ said, after: { todos, balance } });
  const ended = (status: ApprovalStatus, decidedBy: Who | null, adds = 0): Outcome => ({
    said: status,
    after: { todos: todos.with(index, { ...todo, status, decidedBy }), balance: balance + adds },
  });
  if (what.kind === 'withdraw') {
    if (todo.maker !== what.who) return same('notFound');
    if (todo.status === 'withdrawn') return same('withdrawn');
    return todo.status === 'pending' ? ended('withdrawn', null) : same('conflict');
  }
  if (!APPROVAL_RULES.topUp.decide.includes(ROLES[what.who])) return same('forbidden');
  if (todo.maker === what.who) return same('forbidden');
  const status = what.approve ? 'approved' : 'refused';
  if (todo.status === status && todo.decidedBy === what.who) return same(status);
  if (todo.status !== 'pending') return same('conflict');
  if (!what.approve) return ended(status, what.who);
  if (balance + todo.adds < 0) return same('balanceInsufficient');
  return ended(status, what.who, todo.adds);
}

async function perform(platform: Platform, life: Life, index: number, what: Answer): Promise<string> {
  const [id, viewer] = [life.ids[index]!, people[what.who]!];
  const said =
    what.kind === 'withdraw'
      ? await withdraw(platform, viewer, id)
      : await decide(platform, APPROVAL_HANDLERS, viewer, { id, approve: what.approve });
  return isRefusal(said) ? said.code : said.status;
}

const now = () => node.clock.now().getTime();

/** All requests of the round in one transaction. It may run again, so its answers are compared after it has committed. */
async function askAll(turns: readonly { readonly life: Life; readonly command: Ask }[]): Promise<void> {
  const { platform } = node;
  const addsOf = ({ of, amount }: Ask) => (of === 'topUp' ? amount : -amount);
  const said = await platform.db.tx(async (tx) => {
    const answers = [];
    for (const { life, command: asked } of turns)
      answers.push(
        await startApproval(platform, tx, people[asked.who]!, {
          kind: asked.of,
          subjectKind: 'merchant',
          subjectId: life.merchantId,
          payload: { currency: 'INR', bucket: 'available', amount: addsOf(asked) },
          reason: 'model',
          sole: false,
        }),
      );
    return answers;
  });
  turns.forEach(({ life, command: asked }, index) => {
    const started = said[index]!;
    const may = APPROVAL_RULES[asked.of].start.includes(ROLES[asked.who]);
    if (isRefusal(started) === may) throw new Error(`${ROLES[asked.who]} asking for ${asked.of}`);
    if (isRefusal(started)) return;
    life.ids.push(started.todoId);
    const todo: Todo = {
      maker: asked.who,
      adds: addsOf(asked),
      startedAt: now(),
      status: 'pending',
      decidedBy: null,
    };
    life.model = { ...life.model, todos: [...life.model.todos, todo] };
  });
}

/** Both at once: the result must be the result of one of the two possible orders. */
async function together(run: Run<Life>, life: Life, { first, second }: Pair): Promise<void> {
  const index = first.nth % life.ids.length;
  const said = await Promise.all([
    perform(node.platform, life, index, first),
    perform(rival, life, index, second),
  ]);
  const a = answered(life.model, index, first);
  const thenB = answered(a.after, index, second);
  const b = answered(life.model, index, second);
  const thenA = answered(b.after, index, first);
  const serial = [
    { said: [a.said, thenB.said], after: thenB.after },
    { said: [thenA.said, b.said], after: thenA.after },
  ];
  const match = serial.find((each) => run.is(said, each.said));
  if (match) life.model = match.after;
  else
    run.same(
      'two at once',
      said,
      serial.map((each) => each.said),
    );
}

const WAITS = [0, HOUR, 0, 11 * HOUR, 13 * HOUR, 0];

async function round(
  turns: readonly Turn<Life, Command>[],
  runs: readonly Run<Life>[],
  index: number,
): Promise<void> {
  node.clock.advance(WAITS[index % WAITS.length]!);
  // Requests are expired both before and after the sweep marks them.
  if (index % 2 === 0) await expireApprovals(node.platform);
  for (const { life } of runs) {
    const todos = life.model.todos.map((todo): Todo =>
      todo.status === 'pending' && todo.startedAt + DAY <= now() ? { ...todo, status: 'expired' } : todo,
    );
    life.model = { ...life.model, todos };
  }
  await askAll(
    turns.flatMap(({ life, command: each }) => (each.kind === 'ask' ? [{ life, command: each }] : [])),
  );
  await inParallel(
    turns,
    async ({ run, life, command: each }) => {
      if (each.kind === 'ask' || life.ids.length === 0) return;
      if (each.kind === 'pair') return together(run, life, each);
      const which = each.nth % life.ids.length;
      const { said, after } = answered(life.model, which, each);
      run.same(each.kind, await perform(node.platform, life, which, each), said);
      life.model = after;
    },
    4,
  );
}

let merchants = 1_000_000n;

test(
  named('whatever four people ask and answer, each request is executed at most once', USUAL),
  { timeout: 3_600_000 },
  () =>
    runSequences<Life, Command>({
      name: 'approval',
      usual: USUAL,
      block: 250,
      command,
      steps: { min: 3, max: 9 },
      begin: async (seeds) =>
        seeds.map(() => ({ merchantId: (merchants += 1n), ids: [], model: { todos: [], balance: 0 } })),
      round,
      async compare(runs) {
        const ids = runs.flatMap(({ life }) => life.ids);
        const rows = await node.platform.db.query<{ id: bigint; status: string; executed: number }>(sql`
          select a.id, case when a.status = 'pending' and a.expires_at <= ${node.clock.now()} then 'expired' else a.status end as status,
            (select count(*) from postings p where p.key = 'approval/' || a.id)::int as executed
          from approvals a where a.id = any(${ids})`);
        const stored = new Map(rows.map((row) => [row.id, [row.status, row.executed]]));
        const balances = await node.platform.db.query<{ id: bigint; balance: bigint }>(sql`
          select owner_id as id, balance from ledger_accounts
          where owner_kind = 'merchant' and bucket = 'available' and owner_id = any(${runs.map(({ life }) => life.merchantId)})`);
        const balanceOf = new Map(balances.map(({ id, balance }) => [id, Number(balance)]));
        for (const run of runs) {
          const { life } = run;
          run.same(
            'stored',
            [life.ids.map((id) => stored.get(id)), balanceOf.get(life.merchantId) ?? 0],
            [
              life.model.todos.map(({ status }) => [status, status === 'approved' ? 1 : 0]),
              life.model.balance,
            ],
          );
        }
      },
      async end() {
        expect(await brokenChecks(node.platform)).toEqual([]);
      },
    }),
);

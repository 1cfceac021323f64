import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Tx, sql } from '../platform/db/database.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { named, runSequences, type Turn } from '../testing/sequences.ts';
import { LEDGER_CHECKS } from '../verify/ledger-checks.ts';
import { snapshotsOf, verify } from '../verify/verify.ts';
import { setDepositLimit } from './credit-limit.ts';
import { splitFee } from './fees.ts';
import { post, type Leg, type PostingOutcome, type PostingRequest } from './post.ts';
import { postMirror } from './reverse.ts';

let world: TestPlatform;
beforeAll(async () => {
  world = await createTestPlatform();
});
afterAll(() => world.close());

const USUAL = 8_000;

type Owner = 'merchant' | 'supplier' | 'agent';

type Command =
  | { readonly kind: 'credit'; readonly amount: bigint; readonly offset: boolean }
  | { readonly kind: 'reverse'; readonly nth: number }
  | { readonly kind: 'adjust' | 'withdraw'; readonly owner: Owner; readonly amount: bigint }
  | { readonly kind: 'drain'; readonly owner: Owner }
  | { readonly kind: 'limit'; readonly limit: bigint }
  | { readonly kind: 'again'; readonly nth: number };

// Few different amounts, and balances that are emptied often: faults appear where values meet by chance.
const amount = fc.oneof(fc.constantFrom(100_00n, 150_00n, 300_00n), fc.bigInt(1n, 500_00n));
const owner = fc.constantFrom<Owner>('merchant', 'supplier', 'agent');
const nth = fc.nat(30);
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('credit' as const), amount, offset: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reverse' as const), nth }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('drain' as const), owner }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('adjust' as const),
      owner,
      amount: fc.bigInt(-300_00n, 300_00n).filter((value) => value !== 0n),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('withdraw' as const), owner, amount }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('limit' as const), limit: fc.bigInt(0n, 400_00n) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('again' as const), nth }) },
);

/** What the ledger must show: what each owner should own in all, and which credits were reversed. */
interface Books {
  /** Owner ids of the sequence: merchant, supplier, agent. */
  readonly ids: Readonly<Record<Owner, bigint>>;
  readonly owned: Record<Owner, bigint>;
  readonly credits: { readonly key: string; readonly legs: readonly Leg[]; reversed: boolean }[];
  limit: bigint;
  /** As stored, by owner and bucket. */
  balances: ReadonlyMap<string, bigint>;
}

let made = 0;
const nextId = () => BigInt((made += 1));

function openBooks(): Books {
  return {
    ids: { merchant: nextId(), supplier: nextId(), agent: nextId() },
    owned: { merchant: 0n, supplier: 0n, agent: 0n },
    credits: [],
    limit: 0n,
    balances: new Map(),
  };
}

const BUCKETS = { merchant: 'available', supplier: 'deposit', agent: 'commission' } as const;

function legOf(books: Books, of: Owner, value: bigint): Leg {
  const ownerKind = of === 'merchant' ? 'merchant' : 'supplier';
  return { ownerKind, ownerId: books.ids[of], bucket: BUCKETS[of], amount: value };
}

const balanceOf = (books: Books, of: Owner, bucket: string = BUCKETS[of]) =>
  books.balances.get(`${books.ids[of]}/${bucket}`) ?? 0n;

function own(books: Books, legs: readonly Leg[], sign: 1n | -1n): void {
  for (const leg of legs) {
    const of = (Object.keys(books.ids) as Owner[]).find(
      (each) => leg.ownerKind !== 'platform' && books.ids[each] === leg.ownerId,
    );
    if (of) books.owned[of] += sign * leg.amount;
  }
}

/** A posting of the round, and its expected outcome. */
interface Planned {
  readonly turn: Turn<Books, Command>;
  readonly request: PostingRequest;
  readonly outcome: PostingOutcome;
}

function posting(key: string, legs: readonly Leg[]): PostingRequest {
  return { key, kind: 'test', orderId: null, currency: 'INR', legs };
}

function credit(books: Books, received: bigint, offset: boolean): PostingRequest {
  const terms = (ratePpm: number) => ({ ratePpm, fixedFee: 1n });
  const agents = [{ agentId: books.ids.agent, terms: terms(2_345) }];
  const split = splitFee(received, terms(30_000), terms(12_345), agents);
  const legs: Leg[] = [
    offset
      ? { ownerKind: 'platform', ownerId: 0n, bucket: 'suspense', amount: -received }
      : { ...legOf(books, 'supplier', -received), spillsToDebt: true },
    { ...legOf(books, 'merchant', received - split.fee), spillsToDebt: true },
    { ownerKind: 'platform', ownerId: 0n, bucket: 'revenue', amount: split.revenue },
    { ...legOf(books, 'supplier', split.supplierCommission), bucket: 'commission' },
    legOf(books, 'agent', split.agentCommission),
  ];
  const key = `credit/${nextId()}`;
  books.credits.push({ key, legs, reversed: false });
  return posting(key, legs);
}

function move(books: Books, of: Owner, value: bigint, withdraws: boolean): Omit<Planned, 'turn'> {
  const least = withdraws || of !== 'supplier' ? 0n : -books.limit;
  const own_: Leg = {
    ...legOf(books, of, value),
    spillsToDebt: value > 0n,
    ...(withdraws ? { atLeast: 0n } : {}),
  };
  const counter: Leg = { ownerKind: 'platform', ownerId: 0n, bucket: 'adjustment', amount: -value };
  const carried = value > 0n || balanceOf(books, of) + value >= least;
  return {
    request: posting(`move/${nextId()}`, [own_, counter]),
    outcome: carried ? 'posted' : 'insufficient',
  };
}

function plan(turn: Turn<Books, Command>): Planned[] {
  const { life: books, command: each } = turn;
  switch (each.kind) {
    case 'credit':
      return [{ turn, request: credit(books, each.amount, each.offset), outcome: 'posted' }];
    case 'adjust':
    case 'withdraw': {
      const value = each.kind === 'adjust' ? each.amount : -each.amount;
      return [{ turn, ...move(books, each.owner, value, each.kind === 'withdraw') }];
    }
    case 'drain': {
      const all = balanceOf(books, each.owner);
      return all > 0n ? [{ turn, ...move(books, each.owner, -all, true) }] : [];
    }
    case 'again': {
      const old = oldOf(books, each.nth);
      return old ? [{ turn, request: posting(old.key, old.legs), outcome: 'duplicate' }] : [];
    }
    case 'reverse':
    case 'limit':
      return [];
  }
}

const oldOf = ({ credits }: Books, nth: number) => credits[nth % Math.max(credits.length, 1)];

/** Runs a command that takes no list; answers the ledger's result. */
function ask(tx: Tx, { life: books, command: each }: Turn<Books, Command>) {
  if (each.kind === 'limit')
    return setDepositLimit(world.platform, tx, books.ids.supplier, 'INR', each.limit);
  const old = each.kind === 'reverse' && oldOf(books, each.nth);
  if (!old) return undefined;
  const request = { undo: old.key, key: `reversal/${old.key}`, reason: null, userId: null };
  return postMirror(world.platform, tx, request);
}

/**
 * Posts the whole round in one call, as a batch of settlements does. The transaction may run again, so its answers are compared
 * after it has committed.
 */
async function round(turns: readonly Turn<Books, Command>[]): Promise<void> {
  const planned = turns.flatMap(plan);
  const requests = planned.map(({ request }) => request);
  const { outcomes, said } = await world.platform.db.tx(async (tx) => {
    const posted = await post(world.platform, tx, requests);
    const answers: unknown[] = [];
    for (const turn of turns) answers.push(await ask(tx, turn));
    return { outcomes: posted, said: answers };
  });
  planned.forEach(({ turn, request, outcome }, index) => {
    turn.run.same(request.key, outcomes[index], outcome);
    if (outcome === 'posted') own(turn.life, request.legs, 1n);
  });
  turns.forEach(({ run, life: books, command: each }, index) => {
    if (each.kind === 'reverse') {
      const old = oldOf(books, each.nth);
      if (!old) return;
      run.same(`reversal of ${old.key}`, said[index], old.reversed ? 'duplicate' : 'posted');
      if (!old.reversed) own(books, old.legs, -1n);
      old.reversed = true;
    } else if (each.kind === 'limit') {
      const short = balanceOf(books, 'supplier') < -each.limit;
      run.same('limit before', said[index], short ? 'insufficient' : books.limit);
      if (!short) books.limit = each.limit;
    }
  });
}

async function readBalances(lives: readonly Books[]): Promise<void> {
  const ids = lives.flatMap((books) => Object.values(books.ids));
  const rows = await world.platform.db.query<{ name: string; balance: bigint }>(sql`
    select owner_id || '/' || bucket as name, balance from ledger_accounts
    where owner_kind <> 'platform' and owner_id = any(${ids})`);
  const balances = new Map(rows.map((row) => [row.name, row.balance]));
  for (const books of lives) books.balances = balances;
}

/** The rules: no balance below its floor, no debt beside free money, each owner owns what it should. Answers the broken ones. */
function broken(books: Books): string[] {
  const at = (of: Owner, bucket?: string) => balanceOf(books, of, bucket);
  const rules: readonly [string, boolean][] = [
    ['available below zero', at('merchant') < 0n],
    ['deposit below its limit', at('supplier') < -books.limit],
    ['commission below zero', at('supplier', 'commission') < 0n || at('agent') < 0n],
    ['a positive debt', (['merchant', 'supplier', 'agent'] as const).some((of) => at(of, 'debt') > 0n)],
    ['free money beside debt', at('merchant') > 0n && at('merchant', 'debt') < 0n],
  ];
  return rules.filter(([, breaks]) => breaks).map(([rule]) => rule);
}

test(
  named('any sequence of credits, reversals, adjustments and limits keeps the books', USUAL),
  { timeout: 3_600_000 },
  () =>
    runSequences<Books, Command>({
      name: 'ledger',
      usual: USUAL,
      block: 1_000,
      command,
      steps: { min: 3, max: 9 },
      begin: async (seeds) => seeds.map(openBooks),
      round,
      async compare(runs) {
        await readBalances(runs.map(({ life }) => life));
        for (const run of runs) {
          const { life: books } = run;
          const all = (of: Owner) => balanceOf(books, of) + balanceOf(books, of, 'debt');
          run.same('what breaks', broken(books), []);
          const owned = {
            merchant: all('merchant'),
            supplier: all('supplier') + balanceOf(books, 'supplier', 'commission'),
            agent: all('agent'),
          };
          run.same('what they own', owned, books.owned);
        }
      },
      async end() {
        const results = await Array.fromAsync(
          verify(await snapshotsOf(world.platform.db), LEDGER_CHECKS, { rangeRows: 500 }),
        );
        expect(results.filter(({ ok }) => !ok)).toEqual([]);
      },
    }),
);

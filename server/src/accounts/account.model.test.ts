import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../platform/db/database.ts';
import { setFrozen, setLegalHold } from '../orders/holds/set-hold.ts';
import { reviewKyc } from '../terms/kyc/review.ts';
import { submitKyc } from '../terms/kyc/submit.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal } from '../platform/refusal.ts';
import { brokenChecks } from '../testing/books.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { inParallel, named, runSequences, type Run, type Turn } from '../testing/sequences.ts';
import { makeAccount, makeSupplier, makeUser, viewerOf } from '../testing/world.ts';
import type { Viewer } from '../platform/viewer.ts';
import { enableResource } from './enable-resource.ts';
import { updateAccount } from './update-account.ts';

/** Sequences of a usual run: each step costs a transaction or two. */
const USUAL = 300;
const PRODUCT = 1010;
const ROLES = ['superAdmin', 'admin', 'customerService', 'technicalSupport', 'supplier', 'stranger'] as const;
type Who = (typeof ROLES)[number];

let node: TestPlatform;
let rival: Platform;
let supplierId: bigint;
const people = new Map<Who, Viewer>();
beforeAll(async () => {
  node = await createTestPlatform();
  rival = node.anotherNode();
  const { platform } = node;
  const own = await makeSupplier(platform);
  const other = await makeSupplier(platform);
  supplierId = own.supplierId;
  for (const role of ['superAdmin', 'admin', 'customerService', 'technicalSupport'] as const)
    people.set(role, viewerOf(platform, { role, userId: (await makeUser(platform, { role })).id }));
  people.set('supplier', viewerOf(platform, { role: 'supplier', ...own }));
  people.set('stranger', viewerOf(platform, { role: 'supplier', ...other }));
});
afterAll(() => node.close());

const who = fc.constantFrom(...ROLES);
const act = fc.oneof(
  fc.record({ kind: fc.constant('enable' as const), who, on: fc.boolean() }),
  fc.record({ kind: fc.constant('freeze' as const), who, on: fc.boolean() }),
  fc.record({ kind: fc.constant('legalHold' as const), who, on: fc.boolean() }),
  fc.record({ kind: fc.constant('limit' as const), who, count: fc.option(fc.constantFrom(1, 20)) }),
  fc.record({ kind: fc.constant('rename' as const), who, name: fc.constantFrom('A', 'B') }),
  fc.record({ kind: fc.constant('submit' as const), who }),
  fc.record({ kind: fc.constant('review' as const), who, approve: fc.boolean() }),
);
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;
/** `twice`: the same person presses on two nodes at once. */
interface Command {
  readonly act: Act;
  readonly twice: boolean;
}
const command: fc.Arbitrary<Command> = fc.record({ act, twice: fc.boolean() });

/** The account of docs/domain.md#accounts: closed until proven; the proof fixes its owner; two people unfreeze it. */
interface Model {
  readonly open: boolean;
  readonly frozen: boolean;
  readonly legalHold: boolean;
  readonly limit: number | null;
  readonly name: string;
  /** Who named its owner. These people may not review the proof of ownership. */
  readonly namedBy: readonly Who[];
  /** By verdict, oldest first, with the person who submitted it. */
  readonly proofs: readonly { readonly verdict: 'pending' | 'approved' | 'rejected'; readonly by: Who }[];
}

interface Life {
  readonly accountId: bigint;
  readonly proofIds: bigint[];
  model: Model;
}

interface Outcome {
  readonly said: string;
  readonly after: Model;
}

const DESK: readonly Who[] = ['superAdmin', 'admin', 'customerService'];
const ADMINS: readonly Who[] = ['superAdmin', 'admin'];

function expected(model: Model, what: Act): Outcome {
  const refused = (said: string): Outcome => ({ said, after: model });
  const done = (change: Partial<Model> = {}): Outcome => ({ said: 'done', after: { ...model, ...change } });
  const isOwner = what.who === 'supplier';
  const isStranger = what.who === 'stranger';
  switch (what.kind) {
    case 'enable': {
      if (!DESK.includes(what.who) && !isOwner && !isStranger) return refused('forbidden');
      if (isStranger) return refused('notFound');
      if (what.on === model.open) return done();
      const isProven = model.proofs.findLast(({ verdict }) => verdict !== 'pending')?.verdict === 'approved';
      return what.on && (model.frozen || !isProven) ? refused('conflict') : done({ open: what.on });
    }
    case 'freeze':
      if (!ADMINS.includes(what.who)) return refused('forbidden');
      return model.legalHold && !what.on ? refused('conflict') : done({ frozen: what.on });
    case 'legalHold':
      if (what.who !== 'superAdmin') return refused('forbidden');
      return done({ legalHold: what.on, frozen: model.frozen || what.on });
    case 'limit':
    case 'rename': {
      if (!ADMINS.includes(what.who) && !isOwner && !isStranger) return refused('forbidden');
      if (isStranger) return refused('notFound');
      if (what.kind === 'limit') return done({ limit: what.count });
      const isFixed = model.proofs.some(({ verdict }) => verdict !== 'rejected');
      if (what.name === model.name) return done();
      return isFixed ? refused('conflict') : done({ name: what.name, namedBy: [...model.namedBy, what.who] });
    }
    case 'submit':
      if (!DESK.includes(what.who) && !isOwner && !isStranger) return refused('forbidden');
      if (isStranger) return refused('notFound');
      if (model.proofs.some(({ verdict }) => verdict === 'pending')) return refused('conflict');
      return done({ proofs: [...model.proofs, { verdict: 'pending', by: what.who }] });
    case 'review': {
      if (!ADMINS.includes(what.who)) return refused('forbidden');
      const last = model.proofs.at(-1);
      if (!last) return refused('notFound');
      if (last.verdict !== 'pending') return refused('conflict');
      if (last.by === what.who || model.namedBy.includes(what.who)) return refused('forbidden');
      const verdict = what.approve ? 'approved' : 'rejected';
      return done({ proofs: model.proofs.with(-1, { ...last, verdict }) });
    }
  }
}

async function perform(platform: Platform, life: Life, what: Act): Promise<string> {
  const viewer = people.get(what.who)!;
  const subject = {
    subjectKind: 'account' as const,
    subjectId: String(life.accountId),
    reason: 'model',
  };
  const id = String(life.accountId);
  const answer = await (() => {
    switch (what.kind) {
      case 'enable':
        return enableResource(platform, viewer, { resourceId: id, productId: PRODUCT, enable: what.on });
      case 'freeze':
        return setFrozen(platform, viewer, { ...subject, frozen: what.on });
      case 'legalHold':
        return setLegalHold(platform, viewer, { ...subject, legalHold: what.on });
      case 'limit':
        return updateAccount(platform, viewer, { id, dailyCountLimit: what.count });
      case 'rename':
        return updateAccount(platform, viewer, { id, ownerName: what.name });
      case 'submit':
        return submitKyc(platform, viewer, { ...subject, documentReference: 'model/proof.pdf' });
      case 'review':
        return reviewKyc(platform, viewer, {
          id: String(life.proofIds.at(-1) ?? 1n),
          verdict: what.approve ? 'approved' : 'rejected',
        });
    }
  })();
  if (isRefusal(answer)) return answer.code;
  if (what.kind === 'submit') life.proofIds.push(BigInt((answer as { id: string }).id));
  return 'done';
}

/** Sends both commands at once: they must answer as if one ran after the other. */
async function press({ run, life, command: { act: what, twice } }: Turn<Life, Command>): Promise<void> {
  const first = expected(life.model, what);
  if (!twice) run.same(what.kind, await perform(node.platform, life, what), first.said);
  else {
    const second = expected(first.after, what);
    const said = await Promise.all([node.platform, rival].map((each) => perform(each, life, what)));
    run.same('two at once', said.toSorted(), [first.said, second.said].toSorted());
    life.model = second.after;
    return;
  }
  life.model = first.after;
}

async function begin(seeds: readonly number[]): Promise<Life[]> {
  const lives: Life[] = [];
  for (const _ of seeds) {
    const { accountId } = await makeAccount(node.platform, {
      supplierId,
      monitorId: null,
      products: [PRODUCT],
      state: 1,
    });
    lives.push({
      accountId,
      proofIds: [],
      model: {
        open: false,
        frozen: false,
        legalHold: false,
        limit: null,
        name: 'A',
        namedBy: [],
        proofs: [],
      },
    });
  }
  const ids = lives.map(({ accountId }) => accountId);
  // As a new account: nothing proves its owner.
  await node.platform.db.query(
    sql`delete from kyc_records where subject_kind = 'account' and subject_id = any(${ids})`,
  );
  await node.platform.db.query(sql`update accounts set owner_name = 'A' where id = any(${ids})`);
  return lives;
}

test(
  named('an account opens, freezes, keeps its limits and its proof as the model says', USUAL),
  { timeout: 3_600_000 },
  () =>
    runSequences<Life, Command>({
      name: 'account',
      usual: USUAL,
      block: 100,
      command,
      steps: { min: 2, max: 8 },
      begin,
      round: (turns) => inParallel(turns, press, 4),
      async compare(runs: readonly Run<Life>[]) {
        const rows = await node.platform.db.query<{ id: bigint; stored: unknown[]; verdicts: string[] }>(sql`
          select a.id, jsonb_build_array(r.state = 0, a.frozen, a.legal_hold, a.daily_count_limit, a.owner_name) as stored,
            array(select k.verdict from kyc_records k where k.subject_kind = 'account' and k.subject_id = a.id order by k.place) as verdicts
          from accounts a join resources r on r.account_id = a.id
          where a.id = any(${runs.map(({ life }) => life.accountId)})`);
        const storedOf = new Map(rows.map((row) => [row.id, [row.stored, row.verdicts]]));
        for (const run of runs) {
          const { open, frozen, legalHold, limit, name, proofs } = run.life.model;
          const wanted = [[open, frozen, legalHold, limit, name], proofs.map(({ verdict }) => verdict)];
          run.same('stored', storedOf.get(run.life.accountId), wanted);
        }
      },
      async end() {
        expect(await brokenChecks(node.platform)).toEqual([]);
      },
    }),
);

import { batchActions, type BatchStatus } from '@sangam/contract/payout-batches.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../platform/db/database.ts';
import { isRefusal } from '../../platform/refusal.ts';
import {
  type BatchShop,
  iciciReport,
  makeBatch,
  makeBatchShop,
  type SaidRow,
} from '../../testing/batches.ts';
import { newReference } from '../../testing/payments.ts';
import { payOut } from '../../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { runsOf, SEED } from '../../testing/seed.ts';
import { brokenChecks } from '../../testing/books.ts';
import { confirmRows } from './confirm.ts';
import { handleExceptions } from './handle.ts';
import { cancelBatch, closeBatch, exportBatch, markSent } from './send.ts';
import { uploadResult } from './upload-result.ts';

let world: TestPlatform;
let shop: BatchShop;

beforeAll(async () => {
  world = await createTestPlatform();
  shop = await makeBatchShop(world.platform, 100_000_000_00n);
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

/** A payout of the batch in the model: its status, and what the last result file says of it. */
interface Row {
  status: 0 | 1 | 2 | 3 | 6 | 7 | 8 | 9;
  said: 'Success' | 'Rejected' | 'Reversed' | 'Processing' | null;
  reversed: boolean;
  inFile: boolean;
}

const OPEN = new Set([1, 2, 7, 8]);
const WORDS = ['Success', 'Rejected', 'Reversed', 'Processing'] as const;
type Word = (typeof WORDS)[number];

const command = fc.oneof(
  fc.constantFrom(
    { kind: 'export' as const },
    { kind: 'markSent' as const },
    { kind: 'confirm' as const },
    { kind: 'close' as const },
    { kind: 'cancel' as const },
  ),
  fc.record({
    kind: fc.constant('upload' as const),
    words: fc.array(fc.constantFrom(...WORDS), { minLength: 3, maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('handle' as const),
    row: fc.integer({ min: 1, max: 3 }),
    action: fc.constantFrom('retry' as const, 'reject' as const, 'return' as const),
  }),
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

/** The batch in the model, written from docs/domain.md#batches and not from the code. */
class Model {
  status: BatchStatus = 'prepared';
  readonly rows: Row[] = [1, 2, 3].map(() => ({ status: 1, said: null, reversed: false, inFile: false }));

  /** True when the command should not be refused. */
  apply(step: Command): boolean {
    const { kind } = step;
    const actionOf = { upload: 'uploadResult' } as const;
    const action = kind === 'upload' ? actionOf[kind] : kind;
    const repeated =
      (kind === 'markSent' && (this.status === 'sent' || this.status === 'closed')) ||
      (kind === 'close' && this.status === 'closed') ||
      (kind === 'cancel' && this.status === 'cancelled');
    if (repeated) return true;
    if (!batchActions({ role: 'admin' }, this.status).includes(action)) return false;
    if (kind === 'export') return this.export();
    if (kind === 'markSent') return this.send();
    if (kind === 'upload') return this.upload(step.words);
    if (kind === 'confirm') return this.confirm();
    if (kind === 'handle') return this.handle(step.row - 1, step.action);
    if (kind === 'close')
      for (const row of this.rows) if (row.status === 2 || row.status === 8) row.status = 7;
    if (kind === 'cancel') for (const row of this.rows) if (row.status === 1) row.status = 0;
    this.status = kind === 'close' ? 'closed' : 'cancelled';
    return true;
  }

  private export(): boolean {
    if (this.status !== 'prepared') return true;
    const held = this.rows.filter((row) => row.status === 1);
    if (held.length === 0) return false;
    for (const row of held) row.inFile = true;
    this.status = 'exported';
    return true;
  }

  private send(): boolean {
    for (const row of this.rows) if (row.inFile && row.status === 1) row.status = 8;
    this.status = 'sent';
    return true;
  }

  private upload(words: readonly Word[]): boolean {
    this.rows.forEach((row, index) => {
      const word = words[index]!;
      const known =
        row.reversed ||
        (row.status === 3 && (word === 'Success' || word === 'Processing')) ||
        ([9, 0, 6].includes(row.status) && (word === 'Rejected' || word === 'Processing'));
      row.said = row.inFile && !known ? word : null;
    });
    return true;
  }

  private confirm(): boolean {
    for (const row of this.rows) {
      const { said } = row;
      if (said === null) continue;
      const isOpen = OPEN.has(row.status);
      if (said === 'Success' && isOpen) row.status = 3;
      else if (said === 'Reversed' && row.status === 3) Object.assign(row, { status: 6, reversed: true });
      else if ((said === 'Rejected' || said === 'Reversed') && isOpen) row.status = 9;
      else if (said === 'Processing' && isOpen) row.status = row.status === 8 ? 2 : row.status;
      // A row that cannot be done stays proposed: a person has to look at it.
      else continue;
      row.said = null;
    }
    return true;
  }

  private handle(index: number, action: 'retry' | 'reject' | 'return'): boolean {
    const row = this.rows[index]!;
    if (action === 'return') {
      if (this.status !== 'prepared') return false;
      if (row.status === 1) row.status = 0;
    } else if (row.status === 9) row.status = action === 'retry' ? 0 : 6;
    return true;
  }
}

test(`a batch under random presses is what the model says (seed ${SEED})`, async () => {
  const { platform } = world;
  const amounts = [100_00n, 200_00n, 300_00n];
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 4, maxLength: 14 }), async (steps) => {
      // Payouts that another sequence left waiting do not belong to this one.
      await platform.db.query(sql`update payout_orders set locked_by = 'test' where status = 0`);
      const ids: bigint[] = [];
      for (const amount of amounts) ids.push((await payOut(platform, shop.merchantId, { amount })).id);
      const { batchId } = await makeBatch(platform, shop);
      const model = new Model();
      for (const step of steps) {
        const inFile = model.rows.flatMap((row, index) => (row.inFile ? [index] : []));
        const allowed = model.apply(step);
        const answer = await perform(batchId, step, inFile);
        expect([step.kind, !isRefusal(answer)]).toEqual([step.kind, allowed]);
      }
      const orders = await platform.db.query<{ status: number; said: string | null; reversed: boolean }>(sql`
        select o.status, i.proposed as said, o.reversed_at is not null as reversed from payout_orders o
        join payout_batch_orders i on i.order_id = o.id and i.batch_id = ${BigInt(batchId)}
        where o.id = any(${ids}) order by o.id`);
      const outcomes = {
        Success: 'completed',
        Rejected: 'failed',
        Reversed: 'reversed',
        Processing: 'inProgress',
      };
      expect(orders).toEqual(
        model.rows.map(({ status, said, reversed }) => ({ status, said: said && outcomes[said], reversed })),
      );
    }),
    { seed: SEED, numRuns: runsOf(40) },
  );
});

function perform(batchId: string, step: Command, inFile: readonly number[]): Promise<unknown> {
  const { platform } = world;
  const { admin } = shop;
  switch (step.kind) {
    case 'export':
      return exportBatch(platform, admin, batchId);
    case 'markSent':
      return markSent(platform, admin, batchId);
    case 'confirm':
      return confirmRows(platform, admin, { batchId });
    case 'close':
      return closeBatch(platform, admin, batchId);
    case 'cancel':
      return cancelBatch(platform, admin, { batchId, reason: 'model' });
    case 'handle':
      return handleExceptions(platform, admin, {
        batchId,
        rows: [step.row],
        action: step.action,
        reason: 'model',
      });
    case 'upload': {
      const rows = inFile.map((index): SaidRow => {
        const reference = `B${batchId}R00${index + 1}`;
        return {
          reference,
          amount: String((index + 1) * 100),
          status: step.words[index]!,
          utr: newReference(),
        };
      });
      return uploadResult(platform, admin, batchId, {
        name: 'report.csv',
        bytes: Buffer.from(iciciReport(rows)),
      });
    }
  }
}

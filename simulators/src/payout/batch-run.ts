import { formatTime } from '@sangam/contract/time.ts';
import type { References } from '../bank/account-book.ts';
import type { ConsoleClient } from '../console/console-client.ts';
import type { Desk } from '../desk/desk.ts';
import { answerFile, type BankWord, type FiledRow } from './bulk-bank.ts';
import { type BatchRun, isBatched, type PayoutLife } from './payout-life.ts';
import { BATCH_AMOUNTS } from './payout-plan.ts';

const CALLS = '/v1.0/payoutBatch';
const BANK = 'ICICI';
const MOST = 500;
/** A retried payout is in a later batch, so there are this many rounds more than the payouts fill. */
const MORE_ROUNDS = 2;

interface BatchRow {
  readonly row: number;
  readonly orderCode: string;
  readonly reference: string;
  readonly amount: number;
}

/**
 * Pays the waiting payouts by bulk files. For each batch the bank gets a file; one person uploads the bank's result and another
 * confirms it. Failed payouts are retried or refused, until none waits.
 */
export async function payByBatches(
  payouts: readonly PayoutLife[],
  { admin, superAdmin }: Pick<Desk, 'admin' | 'superAdmin'>,
  references: References,
  name: string,
): Promise<BatchRun> {
  const lives = new Map(payouts.filter(isBatched).map((life) => [life.orderCode!, life]));
  const run = { files: 0, retried: 0 };
  if (lives.size === 0) return run;
  const payment = await choose(admin);
  const rounds = Math.ceil(lives.size / MOST) + MORE_ROUNDS;
  const refusedOnce = new Set<string>();
  for (let round = 1; round <= rounds && (await countWaiting(admin, payment)) > 0; round += 1) {
    const created = await done(admin, 'create', {
      ...payment,
      orderCount: MOST,
      payTime: formatTime(new Date()),
      key: `${name}-${round}`,
    });
    const { batchId } = created as { batchId: string };
    const { content } = (await done(admin, 'export', { batchId })) as { content: string };
    await done(admin, 'markSent', { batchId });
    run.files += 1;
    const { orders } = (await ask(admin, 'getDetail', { batchId })) as { orders: readonly BatchRow[] };
    const filed = orders.map((row): FiledRow => ({ ...row, utr: references.rrn() }));
    const firstWord = ({ orderCode }: BatchRow) => wordOf(lives.get(orderCode), refusedOnce.has(orderCode));
    const tell = (text: string) => told(admin, superAdmin, batchId, text);
    await tell(answerFile(content, filed, firstWord));
    const lastWord = (row: BatchRow): BankWord =>
      firstWord(row) === 'Processing' ? 'Success' : firstWord(row);
    if (filed.some((row) => firstWord(row) === 'Processing'))
      await tell(answerFile(content, filed, lastWord));
    for (const row of filed) {
      const life = lives.get(row.orderCode);
      if (!life) continue;
      if (lastWord(row) === 'Success') life.paid = { amount: row.amount, utr: row.utr };
    }
    const failed = filed.filter((row) => lastWord(row) === 'Rejected');
    const refused = failed.filter(({ orderCode }) => lives.get(orderCode)?.plan.batchEnd === 'refused');
    const retried = failed.filter((row) => !refused.includes(row));
    run.retried += retried.length;
    for (const { orderCode } of retried) refusedOnce.add(orderCode);
    await handle(admin, batchId, 'retry', retried);
    await handle(admin, batchId, 'reject', refused);
    await done(admin, 'close', { batchId });
  }
  return run;
}

/** The bank's first result. For a payout of somebody else it is 'Success'. */
function wordOf(life: PayoutLife | undefined, isAgain: boolean): BankWord {
  switch (life?.plan.batchEnd) {
    case 'later':
      return 'Processing';
    case 'retried':
      return isAgain ? 'Success' : 'Rejected';
    case 'refused':
      return 'Rejected';
    case 'paid':
    case undefined:
      return 'Success';
  }
}

/** The bank account whose result file the simulated bank can write, and the range of amounts to pay by file. */
async function choose(admin: ConsoleClient) {
  const { accounts, templates } = (await ask(admin, 'getOptions', {})) as {
    accounts: readonly { id: string; bank: string }[];
    templates: readonly { id: string; name: string; readsResult: boolean; ready: boolean }[];
  };
  const account = accounts.find(({ bank }) => bank === BANK);
  const template = templates.find((each) => each.name.startsWith(BANK) && each.readsResult && each.ready);
  if (!account || !template) throw new Error(`the demo world has no payout account and template of ${BANK}`);
  const { min, max } = BATCH_AMOUNTS;
  return { accountId: account.id, templateId: template.id, minAmount: min, maxAmount: max };
}

async function countWaiting(admin: ConsoleClient, payment: Awaited<ReturnType<typeof choose>>) {
  const input = { ...payment, minAmount: String(payment.minAmount), maxAmount: String(payment.maxAmount) };
  return (await ask(admin, 'getOrderCount', input))['count'] as number;
}

async function told(
  admin: ConsoleClient,
  second: ConsoleClient,
  batchId: string,
  text: string,
): Promise<void> {
  const file = { fileName: 'status-report.csv', content: Buffer.from(text).toString('base64') };
  const { fileHash } = await done(admin, 'uploadResult', { batchId, file });
  refuseBadRows(await done(second, 'confirm', { batchId, fileHash }));
}

async function handle(
  admin: ConsoleClient,
  batchId: string,
  action: 'retry' | 'reject',
  rows: readonly BatchRow[],
): Promise<void> {
  if (rows.length === 0) return;
  refuseBadRows(
    await done(admin, 'handleExceptions', {
      batchId,
      rows: rows.map(({ row }) => row),
      action,
      reason: 'Simulated: the bank refused it',
    }),
  );
}

function refuseBadRows(data: Readonly<Record<string, unknown>>): void {
  const list = data['list'] as readonly { orderCode: string; code: number; msg: string }[];
  const bad = list.find(({ code }) => code !== 200);
  if (bad) throw new Error(`batch row of ${bad.orderCode}: ${bad.code} ${bad.msg}`);
}

async function done(admin: ConsoleClient, call: string, input: object) {
  const { code, msg, data } = await admin.post(`${CALLS}/${call}`, input);
  if (code !== 200) throw new Error(`payoutBatch/${call}: ${code} ${msg} ${JSON.stringify(data)}`);
  return data;
}

async function ask(admin: ConsoleClient, call: string, input: Readonly<Record<string, string>>) {
  const { code, msg, data } = await admin.get(`${CALLS}/${call}`, input);
  if (code !== 200) throw new Error(`payoutBatch/${call}: ${code} ${msg}`);
  return data;
}

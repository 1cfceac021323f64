import { formatMinor } from '@sangam/contract/money.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { closeBatch, exportBatch, markSent } from '../payout/batch/send.ts';
import { confirmRows } from '../payout/batch/confirm.ts';
import { createBatch } from '../payout/batch/create.ts';
import { batchDetail } from '../payout/batch/list.ts';
import { seedTemplates } from '../payout/batch/templates/manage.ts';
import { uploadResult } from '../payout/batch/upload-result.ts';
import { createInTx, type NewPayout, TAKEN } from '../payout/create.ts';
import { MINUTE } from '../platform/clock.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { doneAt, must, personOf } from './acting.ts';
import { makePayers } from './payers.ts';
import { createRandom } from './random.ts';
import type { World } from './world.ts';

/** Later than everything else in the past, so that balances continue. */
const AGE = 5 * MINUTE;
const SEED = 41;
const BANK = 'ICICI';
const TEMPLATE = 'ICICI CIB';
const PRODUCT = 2001;

type BankWord = 'Success' | 'Rejected' | 'Processing';
/** The rupees of each payout in a file, and what the bank says about it. */
type Filed = readonly (readonly [rupees: number, word: BankWord])[];

const PAID: Filed = [
  [1_850, 'Success'],
  [4_200, 'Success'],
  [960, 'Success'],
  [7_500, 'Success'],
  [2_640, 'Success'],
];
const HALF_DONE: Filed = [
  [3_075, 'Success'],
  [5_310, 'Success'],
  [1_240, 'Rejected'],
  [6_800, 'Processing'],
];

type People = Pick<World, 'userIds' | 'merchants'>;

/**
 * Makes two batches of the last minutes with the real commands. One is paid and closed. For the other, the bank's result is there and waits
 * for a second person. Payouts that their merchant cannot pay are left out.
 */
export async function makeDemoBatches(platform: Platform, tx: Tx, people: People): Promise<void> {
  const begin = platform.clock.now().getTime() - AGE;
  const at = <Done>(minutes: number, work: (past: Platform) => Promise<Done>) =>
    doneAt(platform, tx, new Date(begin + minutes * MINUTE), work);
  const admin = personOf(people.userIds, 'admin', 'admin');
  const second = personOf(people.userIds, 'superadmin', 'superAdmin');
  await at(0, seedTemplates);
  const paid = await at(0, (past) => sendBatch(past, tx, admin, people, PAID));
  if (paid !== undefined) {
    const fileHash = await at(1, (past) => bringResult(past, admin, paid, PAID));
    const { list } = must(await at(2, (past) => confirmRows(past, second, { batchId: paid, fileHash })));
    const refused = list.find(({ code }) => code !== 200);
    if (refused) throw new Error(`a row of the demo's batch was refused: ${refused.msg}`);
    must(await at(3, (past) => closeBatch(past, admin, paid)));
  }
  const open = await at(3, (past) => sendBatch(past, tx, admin, people, HALF_DONE));
  if (open !== undefined) await at(4, (past) => bringResult(past, admin, open, HALF_DONE));
}

/**
 * Merchants ask for payouts, and the desk sends them to the bank as one file. Answers the batch's id, or undefined when nobody could pay.
 */
async function sendBatch(
  past: Platform,
  tx: Tx,
  admin: Viewer,
  people: People,
  filed: Filed,
): Promise<string | undefined> {
  const at = past.clock.now();
  const made = await createInTx(past, tx, payoutsOf(people, filed, at), at);
  if (made.every((each) => each === TAKEN || isRefusal(each))) return undefined;
  const [chosen] = await tx.query<{ accountId: bigint; templateId: bigint }>(sql`
    select a.id as "accountId", t.id as "templateId" from accounts a, payout_templates t
    where a.bank = ${BANK} and a.direction = 'out' and t.name = ${TEMPLATE}`);
  const { batchId } = must(
    await createBatch(past, admin, {
      accountId: String(chosen!.accountId),
      templateId: String(chosen!.templateId),
      minAmount: 1,
      maxAmount: 1_000_000_00,
      orderCount: filed.length,
      payTime: formatTime(at),
      key: `demo-${at.getTime()}`,
    }),
  );
  must(await exportBatch(past, admin, batchId));
  must(await markSent(past, admin, batchId));
  return batchId;
}

/** Payouts of the two largest merchants, which have the largest balances. */
function payoutsOf({ merchants }: People, filed: Filed, at: Date): NewPayout[] {
  const day = formatTime(at).slice(2, 10).replaceAll('-', '');
  const random = createRandom(SEED + filed.length);
  const payees = makePayers(filed.length, random);
  return filed.map(([rupees], index) => {
    const { id, prefix } = merchants[index % 2]!;
    return {
      merchantId: id,
      mchOrderNo: `${prefix}B${day}${random.digits(6)}`,
      productId: PRODUCT,
      amount: BigInt(rupees) * 100n,
      payee: {
        userName: payees[index]!.name,
        cardNumber: `${random.int(1, 9)}${random.digits(10)}`,
        ifscCode: 'SBIN0005943',
        bankName: 'State Bank of India',
      },
      // Nobody listens at the merchants' addresses of the past.
      notifyUrl: null,
      clientIp: null,
      param1: null,
      param2: null,
      callerIp: null,
    };
  });
}

/** The desk uploads the bank's report. Answers its hash. */
async function bringResult(past: Platform, admin: Viewer, batchId: string, filed: Filed): Promise<string> {
  const day = formatTime(past.clock.now()).slice(0, 10).replaceAll('-', '');
  const wordOf = new Map(filed.map(([rupees, word]) => [rupees * 100, word]));
  const { orders } = must(await batchDetail(past, admin, batchId));
  const lines = orders.map(({ row, reference, amount }) => {
    const word = wordOf.get(amount)!;
    const reason = word === 'Rejected' ? 'Account closed' : '';
    const utr =
      word === 'Success' ? `ICICN5${day}${String(Number(batchId) * 100 + row).padStart(8, '0')}` : '';
    return [reference, formatMinor(amount, 'INR'), word, reason, utr].join(',');
  });
  const report = ['Reference_no,Amount,STATUS,Rejection Reason,UTR NO', ...lines].join('\r\n');
  const file = { name: 'status-report.csv', bytes: Buffer.from(report) };
  return must(await uploadResult(past, admin, batchId, file)).fileHash;
}

import { createHash } from 'node:crypto';
import type * as contract from '@sangam/contract/endpoints/bank-statement.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { audit } from '../../platform/audit/record.ts';
import { DAY } from '../../platform/clock.ts';
import { isProblem, type Problem, refuseFile } from '../../platform/files/problems.ts';
import { hasType, textOf } from '../../platform/files/upload.ts';
import { maskText } from '../../platform/masking.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { Compared, Outcome } from './compare.ts';
import { dayOf, type StatementLine } from './read-statement.ts';
import { compareApart, readApart } from './statement-work.ts';
import * as store from './store.ts';

type Input<Endpoint extends { input: z.ZodType }> = z.output<Endpoint['input']>;
type Output<Endpoint extends { output: z.ZodType }> = z.input<Endpoint['output']>;

const OUTCOMES: readonly Outcome[] = ['agrees', 'amountDiffers', 'missingHere', 'missingAtBank'];

/** Reads a bank's CSV file of one account and stores how it agrees with the messages. Books nothing. 429 if too many statements wait. */
export async function importStatement(
  platform: Platform,
  viewer: Viewer,
  { resourceId, file }: Input<typeof contract.importBankStatement>,
): Promise<Output<typeof contract.importBankStatement> | Refusal> {
  const bytes = Buffer.from(file.content, 'base64');
  const text = textOf(bytes);
  if (text === undefined || !hasType(file.fileName, ['csv', 'txt'])) return refuse('wrongFileType');
  const accountId = BigInt(resourceId);
  const account = await store.findAccount(platform.db, viewer, accountId);
  if (!account) return refuse('notFound');
  const country = account.currency === 'KES' ? 'KE' : 'IN';
  const lines = await readApart(platform, viewer.userId, text, country);
  if (isRefusal(lines)) return lines;
  if (isProblems(lines)) return refuseFile(lines, viewer.locale);
  const days = lines.map(({ day }) => day).toSorted();
  const [from, to] = [days[0]!, days.at(-1)!];
  const told = await store.reportedMovements(platform.db, accountId, {
    from: new Date(Date.parse(from) - 2 * DAY),
    to: new Date(Date.parse(to) + 3 * DAY),
  });
  const compared = await compareApart(
    platform,
    viewer.userId,
    lines,
    told.map(({ at, ...movement }) => ({ ...movement, day: dayOf(at, country) })),
  );
  if (isRefusal(compared)) return compared;
  return platform.db.tx(async (tx) => {
    const missing = compared.flatMap(({ outcome, reference }) =>
      outcome === 'missingHere' && reference !== null ? [reference] : [],
    );
    const orders = await store.ordersOf(tx, accountId, missing);
    const id = platform.ids.next();
    await store.insertStatement(tx, {
      id,
      accountId,
      fileName: file.fileName,
      sha256: createHash('sha256').update(bytes).digest(),
      from,
      to,
      at: platform.clock.now(),
      userId: viewer.userId,
      lines: compared.map((line) => ({
        ...line,
        orderId: line.orderId ?? (line.reference === null ? null : (orders.get(line.reference) ?? null)),
      })),
    });
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'bankStatement.import',
      subject: `account:${resourceId}`,
      after: { fileName: file.fileName, from, to, lines: lines.length },
      ip: viewer.ip,
    });
    return { importId: String(id), counts: countsOf(compared) };
  });
}

const isProblems = (read: readonly StatementLine[] | readonly Problem[]): read is readonly Problem[] =>
  read.some(isProblem);

const countsOf = (lines: readonly Compared[]) =>
  OUTCOMES.map((outcome) => {
    const sums = { credit: 0n, debit: 0n };
    const those = lines.filter((line) => line.outcome === outcome);
    for (const { direction, amount } of those) sums[direction] += amount;
    return { outcome, count: those.length, credit: Number(sums.credit), debit: Number(sums.debit) };
  });

/** Imported statements, newest first. */
export async function listStatements(
  platform: Platform,
  viewer: Viewer,
  input: Input<typeof contract.getBankStatementImportList>,
): Promise<Output<typeof contract.getBankStatementImportList> | Refusal> {
  const page = await store.pageOfStatements(platform, viewer, input);
  if (isRefusal(page)) return page;
  return {
    ...page,
    list: page.list.map(({ at, ...row }) => ({
      ...row,
      id: String(row.id),
      resourceId: String(row.resourceId),
      time: formatTime(at),
    })),
  };
}

/** The lines of a statement with the messages that reported them, in the order of the file. */
export async function listLines(
  platform: Platform,
  viewer: Viewer,
  { importId, outcome }: Input<typeof contract.getBankStatementImportLines>,
): Promise<Output<typeof contract.getBankStatementImportLines> | Refusal> {
  const id = BigInt(importId);
  const statement = await store.findStatement(platform.db, viewer, id);
  if (!statement) return refuse('notFound');
  const lines = await store.linesOf(platform.db, id, outcome);
  const shown = (text: string, reference: string | null) =>
    viewer.role === 'superAdmin' ? text : maskText(text, reference);
  return {
    currency: statement.currency,
    list: lines.map((line) => ({
      ...line,
      narration: shown(line.narration, line.reference),
      amount: Number(line.amount),
      balance: line.balance === null ? null : Number(line.balance),
      messageId: line.messageId === null ? null : String(line.messageId),
      orderCode: line.orderId === null ? null : String(line.orderId),
    })),
  };
}

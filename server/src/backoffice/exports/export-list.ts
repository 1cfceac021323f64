import type { exportList as exportEndpoint, ExportColumn } from '@sangam/contract/endpoints/list.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { z } from 'zod';
import { audit } from '../../platform/audit/record.ts';
import type { Page } from '../../platform/db/page.ts';
import { harmless, TableFile } from '../../http/table-file.ts';
import type { Caller, Route, ViewerRoute } from '../../http/route.ts';
import { messageOf } from '../../http/messages.ts';
import { parseInput, shapeOutput } from '../../http/validate.ts';
import { notify } from '../../inbox/notify.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { cellOf, fieldNames, fieldOf, hasMoney, isCurrency, isNumber, valueAt } from './cells.ts';
import { beginExport } from './many-persons.ts';
import { inPageTurn } from './page-turns.ts';

/**
 * Rows of one page. A page is shaped in one go that blocks the node, so it is small. Smaller pages would cost the database more, because it
 * plans each page again. Pages are read by key, so the thousandth costs as much as the first.
 */
const PAGE_ROWS = 200;
/** From this many rows on, the message centre reports the end of the export. */
const LONG_ROWS = 2_000;
/** How many exports one user may run at the same time on one node. */
const MOST_AT_ONCE = 2;

type Row = Readonly<Record<string, unknown>>;

const running = new Map<bigint, number>();

/**
 * Exports all rows of a list call that match its filters, through the same route as the screen. So scope, masking and rights are those of
 * the list. The rows are read page by page by key; rows created meanwhile are newer and are not included.
 */
export async function exportList(
  platform: Platform,
  viewer: Viewer,
  routes: readonly Route[],
  input: z.output<typeof exportEndpoint.input>,
  caller: Caller,
): Promise<TableFile | Refusal> {
  const route = routes.find((each): each is ViewerRoute => each.endpoint.path === input.list && isList(each));
  if (!route) return refuse('notFound');
  const { endpoint } = route;
  if (Array.isArray(endpoint.access) && !endpoint.access.includes(viewer.role)) return refuse('forbidden');
  const parsed = parseInput(endpoint, input.filters ?? {}, viewer.locale);
  if ('refusal' in parsed) return parsed.refusal;

  const read = async (cursor: string | null) => {
    const paging = { pageIndex: undefined, pageSize: PAGE_ROWS, pageNum: undefined };
    const asked = {
      ...(parsed.value as object),
      ...paging,
      cursor: cursor ?? undefined,
      uncounted: cursor !== null,
    };
    return inPageTurn(platform, async () => {
      const page = await route.handle(platform, viewer, asked as never, caller);
      return isRefusal(page) ? page : (shapeOutput(endpoint, page) as Page<Row>);
    });
  };
  const first = await read(null);
  if (isRefusal(first)) return first;
  const { SysFlag } = await platform.settings.all();
  const columns = columnsOf(rowSchema(endpoint.output), input.columns);

  const leave = takePlace(viewer.userId);
  if (!leave) return refuse('tooMany');
  const subject = `list:${input.list}`;
  const { format } = input;
  const bareName = fileName(input.list, SysFlag, platform);
  const name = `${bareName}.${format}`;
  const flag = harmless(SysFlag);
  const end = (count: number, complete: boolean, error: unknown) =>
    platform.db.tx(async (tx) => {
      const after = { rows: count, complete };
      await audit(platform, tx, {
        userId: viewer.userId,
        action: 'list.exported',
        subject,
        after,
        ip: viewer.ip,
      });
      const to = { userIds: [viewer.userId] };
      if (error !== undefined)
        await notify(platform, tx, to, 'workFailed', {
          work: name,
          reason: messageOf('internal', {}, viewer.locale),
        });
      else if (count >= LONG_ROWS)
        await (complete
          ? notify(platform, tx, to, 'workDone', { work: name, done: count, refused: 0 })
          : notify(platform, tx, to, 'workStopped', { work: name, done: count }));
    });
  try {
    const refusal = await beginExport(platform, viewer, {
      list: input.list,
      filters: input.filters ?? {},
      columns,
      rows: first.total,
      isMore: first.totalCapped,
    });
    if (refusal) {
      leave();
      return refusal;
    }
  } catch (error) {
    leave();
    throw error;
  }

  async function* rows(): AsyncIterable<readonly string[]> {
    let count = 0;
    let complete = false;
    let failure: unknown;
    try {
      yield [...columns.map(({ title }) => harmless(title)), 'systemFlag'];
      for (let page = first as Page<Row>; ;) {
        for (const row of page.list) {
          count += 1;
          yield [...columns.map((column) => column.cell(row)), flag];
        }
        if (page.nextCursor === null) break;
        const next = await read(page.nextCursor);
        if (isRefusal(next)) throw new Error(`the list ${input.list} refused its own cursor: ${next.code}`);
        page = next;
      }
      complete = true;
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      await end(count, complete, failure);
    }
  }
  return new TableFile({
    name: bareName,
    format,
    total: first.totalCapped ? undefined : first.total,
    numbers: columns.map(({ isNumber: reckons }) => reckons),
    rows: rows(),
    closed: leave,
  });
}

/**
 * Counts one more export of the user. Answers the function that ends it, or undefined when the user already runs MOST_AT_ONCE. Counted
 * before the first row, or calls made together would all be admitted. Not counted in `rows`, because `rows` never begins when the caller
 * hangs up.
 */
function takePlace(userId: bigint): (() => void) | undefined {
  const others = running.get(userId) ?? 0;
  if (others >= MOST_AT_ONCE) return undefined;
  running.set(userId, others + 1);
  return () => {
    const left = running.get(userId)! - 1;
    if (left === 0) running.delete(userId);
    else running.set(userId, left);
  };
}

/** Whether the route is a list of the console that needs no second-level password to read. */
function isList({ kind, endpoint }: Route): boolean {
  const { output } = endpoint;
  return (
    kind === 'viewer' &&
    endpoint.method === 'GET' &&
    !endpoint.sensitive &&
    output instanceof z.ZodObject &&
    'list' in output.shape &&
    'nextCursor' in output.shape
  );
}

function rowSchema(output: z.ZodType): z.ZodType {
  const { list } = (output as z.ZodObject).shape;
  return (list as z.ZodArray).element as z.ZodType;
}

interface Column {
  readonly field: string;
  readonly title: string;
  readonly schema: z.ZodType;
  readonly cell: (row: Row) => string;
  readonly isNumber: boolean;
}

/** The columns of the file. A list may not have a field for this viewer, or not at all; then the column is empty or left out. */
function columnsOf(row: z.ZodType, asked: readonly ExportColumn[] | undefined): Column[] {
  const wanted: readonly ExportColumn[] =
    asked ??
    fieldNames(row)
      .filter((field) => field !== 'actions')
      .map((field) => ({ field }));
  const columns = wanted.flatMap(({ field, title, words }): Column[] => {
    const schema = fieldOf(row, field);
    if (!schema) return [];
    const written = cellOf(schema);
    const cell = (from: Row) => {
      const value = valueAt(from, field);
      if (!words) return written(value, from);
      if (Array.isArray(value))
        return harmless(value.map((each) => words[String(each)] ?? String(each)).join('; '));
      const name = words[String(value)];
      return name === undefined ? written(value, from) : harmless(name);
    };
    return [
      { field, title: title ?? field, schema, cell, isNumber: words === undefined && isNumber(schema) },
    ];
  });
  const currency = fieldOf(row, 'currency');
  // An amount cannot be written without its currency.
  const lacksCurrency =
    currency &&
    columns.some(({ schema }) => hasMoney(schema)) &&
    !columns.some(({ schema }) => isCurrency(schema));
  if (!lacksCurrency) return columns;
  const written = cellOf(currency);
  const cell = (from: Row) => written(from['currency'], from);
  return [...columns, { field: 'currency', title: 'currency', schema: currency, cell, isNumber: false }];
}

/** `main-order-20261121-193000` */
function fileName(list: string, flag: string, platform: Platform): string {
  const name = list.split('/').at(-2) ?? 'list';
  const stamp = formatTime(platform.clock.now()).replace(/[-:]/g, '').replace(' ', '-');
  return [flag, name, stamp].join('-').replace(/[^\w.-]/g, '_');
}

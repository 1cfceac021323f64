import { isHandled } from '../http/call-error.ts';
import type { BulkAction } from './list-definition.ts';

/** The number of calls at the same time: fast enough, without a load on the server that others would notice. */
const AT_ONCE = 4;

/** Makes one call per row. When stopped, or when the user gives up at the second-level password, the remaining rows are not tried. */
export function oneByOne<Row>(
  submit: (row: Row, values: Readonly<Record<string, unknown>>) => Promise<unknown>,
  doneText: string,
): BulkAction<Row>['run'] {
  return async (rows, values, report, signal) => {
    const queue = [...rows];
    const work = async () => {
      for (let row = queue.shift(); row !== undefined && !signal.aborted; row = queue.shift()) {
        try {
          await submit(row, values);
          report(row, { done: true, text: doneText });
        } catch (error) {
          if (isHandled(error)) queue.length = 0;
          else report(row, { done: false, text: error instanceof Error ? error.message : String(error) });
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  };
}

import { isHandled } from '../http/call-error.ts';
import type { BulkAction } from './list-definition.ts';

/** So many calls under way at once: fast enough, and the server has others to serve. */
const AT_ONCE = 4;

/** Runs a call for each row by itself. Stopped, or given up at the second password, it leaves the rest untried. */
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

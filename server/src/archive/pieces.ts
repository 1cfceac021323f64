import { EventLeaves, type LeafList } from './leaves.ts';
import type { createArchiveFile } from './file.ts';
import { LineWriter, textsOf } from './lines.ts';
import type { FrameRow } from './store.ts';
import { type ArchivedTable, keyIn } from './tables.ts';

/** Rows of a frame. To read one order, a frame or two of each table are unpacked. */
const FRAME_ROWS = 5_000;

type Add = Awaited<ReturnType<typeof createArchiveFile>>['add'];

/** Makes the frames of a file from the rows of a COPY, which come ordered by order. */
export class Pieces {
  readonly #frames: FrameRow[] = [];
  readonly #leaves: EventLeaves | undefined;
  readonly #writer = new LineWriter();
  #bytes = Buffer.alloc(1 << 22);
  #length = 0;
  #rows = 0;
  #packed: Promise<void> = Promise.resolve();

  readonly #table: ArchivedTable;
  readonly #columns: readonly string[];
  readonly #add: Add;

  constructor(table: ArchivedTable, columns: readonly string[], add: Add) {
    [this.#table, this.#columns, this.#add] = [table, columns, add];
    this.#leaves = table === 'order_events' ? new EventLeaves(columns) : undefined;
  }

  /** Takes a row. Answers a promise while the previous piece is still being packed. */
  take(row: Buffer): Promise<void> | undefined {
    if (this.#length + row.length > this.#bytes.length) {
      const larger = Buffer.alloc(2 * (this.#bytes.length + row.length));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#length += row.copy(this.#bytes, this.#length);
    this.#rows += 1;
    return this.#rows === FRAME_ROWS ? this.#pack() : undefined;
  }

  async end(): Promise<readonly FrameRow[]> {
    if (this.#rows > 0) void this.#pack();
    await this.#packed;
    return this.#frames;
  }

  /** The lists that the audit keeps of archived history. Empty for other tables. */
  leaves(): LeafList[] {
    return this.#leaves?.lists() ?? [];
  }

  #pack(): Promise<void> {
    const rows = this.#bytes.subarray(0, this.#length);
    const rowCount = this.#rows;
    [this.#length, this.#rows] = [0, 0];
    // A copy, because it is packed while the next lines are made.
    const lines = Buffer.from(this.#writer.lines(rows));
    const [first, last] = [lines.indexOf('\n'), lines.lastIndexOf('\n')];
    const keyOf = (from: number, to: number) =>
      keyIn(this.#table, this.#columns, textsOf(lines.toString('utf8', from, to)));
    const frame = {
      rowCount,
      firstOrder: keyOf(0, first === -1 ? lines.length : first),
      lastOrder: keyOf(last + 1, lines.length),
    };
    this.#leaves?.add(lines);
    const before = this.#packed;
    this.#packed = before.then(async () => {
      this.#frames.push({ ...(await this.#add(lines)), ...frame });
    });
    // `end` reports a failure.
    this.#packed.catch(() => undefined);
    return before;
  }
}

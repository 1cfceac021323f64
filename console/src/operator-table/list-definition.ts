import type { ComponentType, ReactNode } from 'react';
import type { Call } from 'virtual:endpoints';
import type { DialogField } from '../dialogs/dialog-field.ts';
import type { Amount } from '../figures/sums.tsx';
import type { NameGroup } from '../language/names.ts';
import type { ChangeTopic } from '../realtime/use-changes.ts';
import type { PeriodPreset } from './period.ts';
import type { FilterName, FilterSpec } from './list-state.ts';
import type { WaitingRequestsProps } from './waiting-requests.tsx';

export interface ListAnswer<Row> {
  readonly list: readonly Row[];
  readonly total: number;
  readonly totalCapped: boolean;
  readonly pageIndex: number;
  readonly pageSize: number;
  readonly nextCursor: string | null;
}

export interface FilterOption {
  readonly value: string;
  readonly label: string;
}

export interface FilterField<Name extends string = string> extends FilterSpec<Name> {
  readonly label: string;
  /** False hides the filter from this viewer. */
  readonly shown?: boolean;
  /** Always shown. The other filters are behind 'more filters' until they are set. */
  readonly pinned?: boolean;
  readonly options?: readonly FilterOption[];
  /** For a period that is always set: the presets to choose from. The first applies where the user has chosen none. */
  readonly presets?: readonly PeriodPreset[];
}

/** A field of the row, or a field of that field. Where a field is a list, of each of its elements. */
type PathOf<Row> = {
  [Name in keyof Row & string]: NonNullable<Row[Name]> extends readonly (infer Each)[]
    ? Name | (Each extends object ? `${Name}.${keyof Each & string}` : never)
    : NonNullable<Row[Name]> extends object
      ? `${Name}.${keyof NonNullable<Row[Name]> & string}`
      : Name;
}[keyof Row & string];

interface ExportPart<Row> {
  readonly field: PathOf<Row>;
  readonly title: string;
  readonly words?: NameGroup;
}

export interface ListColumn<Row> {
  readonly key: string;
  readonly title: string;
  readonly render: (row: Row) => ReactNode;
  /** The field of the row that an export takes; `key` where absent. */
  readonly field?: keyof Row & string;
  /** The group of names that an export writes in place of the field's value. */
  readonly words?: NameGroup;
  /**
   * Replaces the field in an export, for a column that shows several fields or a nested one. Empty where other columns have the
   * same data.
   */
  readonly parts?: readonly ExportPart<Row>[];
  readonly width?: number;
  readonly align?: 'right';
  /** Hidden until the user chooses the column. */
  readonly optional?: boolean;
  /** The column that names the row. It cannot be hidden and stays in sight when the table is scrolled sideways. */
  readonly names?: boolean;
}

export interface RowAction {
  readonly key: string;
  readonly label: string;
  readonly icon?: ReactNode;
  /** The most likely next action. It stands out where there is room for buttons. */
  readonly primary?: boolean;
  readonly run: () => void;
}

export interface CardsProps<Input> {
  readonly input: Input;
  readonly chosen: string | undefined;
  readonly choose: (text: string | undefined) => void;
  /** The polling interval of the rows. Cards use the same one, so that both show the same moment. */
  readonly everyMs: number;
  readonly changes: ChangeTopic | undefined;
  /**
   * Whether the rows have arrived. Sums are requested only then: over millions of orders, asking for both at once doubled the time
   * of the rows.
   */
  readonly isListed: boolean;
}

export interface TotalsProps<Input> extends Omit<CardsProps<Input>, 'choose'> {
  /** Draws the list's foot, with the number of rows and their sums; undefined until these are known. */
  readonly children: (count: number | undefined, sums: ReactNode) => ReactNode;
}

export interface RowOutcome {
  readonly key: string;
  readonly done: boolean;
  /** The server's text. */
  readonly text: string;
}

/** An action on many rows at once. Each row has its own result. */
export interface BulkAction<Row> {
  readonly key: string;
  readonly label: string;
  readonly icon?: ReactNode;
  /** What the action will do, and what to watch out for. */
  readonly consequence: string;
  readonly fields?: readonly DialogField[];
  /** Reports each row's outcome as soon as it is known. Rows without a report at the end were not tried. */
  readonly run: (
    rows: readonly Row[],
    values: Readonly<Record<string, unknown>>,
    report: (row: Row, outcome: Omit<RowOutcome, 'key'>) => void,
    signal: AbortSignal,
  ) => Promise<void>;
}

/** The definition of one list. Its screens differ only in what the viewer may see and do. */
export interface ListDefinition<Row, Input> {
  /** Names the list in saved views and stored choices. The variants of an area share it. */
  readonly name: string;
  readonly title: string;
  readonly call: Call<Input, ListAnswer<Row>>;
  /** Input that every call of this screen sends, such as the team scope. */
  readonly fixed?: Partial<Input>;
  readonly keyOf: (row: Row) => string;
  /** Events of the server after which the list reloads at once. */
  readonly changes?: ChangeTopic;
  readonly filters: readonly FilterField<FilterName<Input>>[];
  readonly columns: readonly ListColumn<Row>[];
  /** Cards above the list, with counts under the same filters. Choosing a card sets the filter `cardsFilter`. */
  readonly Cards?: ComponentType<CardsProps<Input>>;
  readonly cardsFilter?: FilterName<Input>;
  /** The totals of all rows that the filters find, shown beside the number of rows. */
  readonly Totals?: ComponentType<TotalsProps<Input>>;
  /** The amount of a row, for the sum of the picked rows. */
  readonly amountOf?: (row: Row) => Amount;
  /** Requests of this screen that wait for a second person. */
  readonly waiting?: WaitingRequestsProps | undefined;
  /** Drawn above the list; does not know the filters. */
  readonly Panel?: ComponentType;
  readonly actionsOf?: (row: Row) => readonly RowAction[];
  readonly bulk?: readonly BulkAction<Row>[];
  /** The drawer of a row. A click on the row opens it, and so does `?open=` in the address. */
  readonly drawer?: (key: string, close: () => void) => ReactNode;
  readonly openKeyOf?: (row: Row) => string;
  readonly emptyText: string;
  /** Buttons beside the title that create something new. */
  readonly tools?: ReactNode;
}

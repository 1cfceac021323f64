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
  /** False where this viewer has no use for it. */
  readonly shown?: boolean;
  /** Always in sight; the others stand behind 'more filters' until they are set. */
  readonly pinned?: boolean;
  readonly options?: readonly FilterOption[];
  /** Of a period: the ones to choose from, where it always has one; the first is meant where none is chosen. */
  readonly presets?: readonly PeriodPreset[];
}

/** A field of the row, or one within a field; where that is a list, of each of its elements. */
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
  /** Field of the row an export takes; the key itself unless said. */
  readonly field?: keyof Row & string;
  /** Names an export puts in place of the field's value. */
  readonly words?: NameGroup;
  /** What an export has in its place where it shows several fields, or one within a field; nothing where other columns say it. */
  readonly parts?: readonly ExportPart<Row>[];
  readonly width?: number;
  readonly align?: 'right';
  /** Not shown until the user chooses it. */
  readonly optional?: boolean;
  /** The column that names the row: always there, and stays in sight when the table is scrolled sideways. */
  readonly names?: boolean;
}

export interface RowAction {
  readonly key: string;
  readonly label: string;
  readonly icon?: ReactNode;
  /** What the row most likely waits for: stands out where there is room for buttons. */
  readonly primary?: boolean;
  readonly run: () => void;
}

export interface CardsProps<Input> {
  readonly input: Input;
  readonly chosen: string | undefined;
  readonly choose: (text: string | undefined) => void;
  /** As often as the rows are asked for: cards and rows show the same moment. */
  readonly everyMs: number;
  readonly changes: ChangeTopic | undefined;
  /** The rows are here. Their sums are asked for afterwards: over millions of orders both at once doubled the time of the rows. */
  readonly isListed: boolean;
}

export interface TotalsProps<Input> extends Omit<CardsProps<Input>, 'choose'> {
  /** The list's foot, told how many rows there are and what they come to; undefined until that is known. */
  readonly children: (count: number | undefined, sums: ReactNode) => ReactNode;
}

export interface RowOutcome {
  readonly key: string;
  readonly done: boolean;
  /** What the server said. */
  readonly text: string;
}

/** An action on many rows at once, each with a result of its own. */
export interface BulkAction<Row> {
  readonly key: string;
  readonly label: string;
  readonly icon?: ReactNode;
  /** What will have happened, and what to beware of. */
  readonly consequence: string;
  readonly fields?: readonly DialogField[];
  /** Reports each row's outcome as soon as it is known; rows without a report at the end were not tried. */
  readonly run: (
    rows: readonly Row[],
    values: Readonly<Record<string, unknown>>,
    report: (row: Row, outcome: Omit<RowOutcome, 'key'>) => void,
    signal: AbortSignal,
  ) => Promise<void>;
}

/** One list, said once; its screens differ by what the viewer may see and do. */
export interface ListDefinition<Row, Input> {
  /** Names the list in saved views and choices; the variants of an area share it. */
  readonly name: string;
  readonly title: string;
  readonly call: Call<Input, ListAnswer<Row>>;
  /** Input every call of this screen carries, such as the team scope. */
  readonly fixed?: Partial<Input>;
  readonly keyOf: (row: Row) => string;
  /** The server's events that make the list ask again at once. */
  readonly changes?: ChangeTopic;
  readonly filters: readonly FilterField<FilterName<Input>>[];
  readonly columns: readonly ListColumn<Row>[];
  /** Cards above the list: counts under the same filters; choosing one sets the filter `cardsFilter`. */
  readonly Cards?: ComponentType<CardsProps<Input>>;
  readonly cardsFilter?: FilterName<Input>;
  /** What all filters find comes to; stands beside the number of rows. */
  readonly Totals?: ComponentType<TotalsProps<Input>>;
  /** What a row counts for in the sum of the rows picked. */
  readonly amountOf?: (row: Row) => Amount;
  /** The requests of its screen that wait for a second person. */
  readonly waiting?: WaitingRequestsProps | undefined;
  /** Stands above the list and knows nothing of its filters. */
  readonly Panel?: ComponentType;
  readonly actionsOf?: (row: Row) => readonly RowAction[];
  readonly bulk?: readonly BulkAction<Row>[];
  /** Opens from a row and from the address (`?open=`). */
  readonly drawer?: (key: string, close: () => void) => ReactNode;
  readonly openKeyOf?: (row: Row) => string;
  readonly emptyText: string;
  /** Buttons beside the title: what is made new from here. */
  readonly tools?: ReactNode;
}

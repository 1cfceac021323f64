import type { ListArrangement, ListView } from './arrangement.ts';
import { ExportButton } from './export-button.tsx';
import type { ListDefinition } from './list-definition.ts';
import type { ListState } from './list-state.ts';
import styles from './operator-table.module.css';
import type { TableChoices } from './table-choices.ts';
import { TableTools } from './table-tools.tsx';
import { ViewsMenu } from './views-menu.tsx';
import { WaitingRequests } from './waiting-requests.tsx';

interface ListHeadProps<Row, Input> {
  readonly definition: ListDefinition<Row, Input>;
  readonly kept: ListArrangement;
  readonly filters: ListState['filters'];
  /** The filters in the form of the call. */
  readonly asked: object;
  readonly choices: TableChoices<Row>;
  readonly loading: boolean;
  readonly onApply: (view: ListView) => void;
  readonly onReload: () => void;
}

/** A list's title, with the tools for the whole list. */
export function ListHead<Row, Input>(props: ListHeadProps<Row, Input>) {
  const { definition, kept, choices } = props;
  return (
    <>
      {definition.waiting && <WaitingRequests {...definition.waiting} />}
      <header className={styles['title']}>
        <h1>{definition.title}</h1>
        <div className={styles['tools']}>
          {definition.tools}
          <div className={styles['toolGroup']}>
            <ViewsMenu list={definition.name} kept={kept} filters={props.filters} onApply={props.onApply} />
            <ExportButton
              title={definition.title}
              list={definition.call.path}
              filters={props.asked}
              columns={choices.shown}
            />
            <TableTools choices={choices} loading={props.loading} onReload={props.onReload} />
          </div>
        </div>
      </header>
    </>
  );
}
